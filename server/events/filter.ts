import { validate as isUuid } from 'uuid'

import { deliveryStates, type DeliveryState, type Endpoints, type Query } from '#contract/index.ts'
import { Refusal } from '../http/errors/problem.ts'
import type { Store } from '../store/store.ts'
import type { EventFilter } from './matching-storage.ts'
import { positionOf } from './storage.ts'

type ListEventsQuery = Query<Endpoints['listEvents']>

/** Returns the filter for a query; undefined if no event can match it. */
export async function eventFilter(
  database: Store,
  {
    order = 'asc',
    type,
    user,
    entity,
    actor,
    job,
    jobs,
    delivered,
    delivery,
    from,
    to,
    after,
    with: more,
  }: Omit<ListEventsQuery, 'offset'>,
): Promise<EventFilter | undefined> {
  const position = after !== undefined && isUuid(after) ? await positionOf(database.sql, after) : undefined
  if (after !== undefined && position === undefined) throw unknownAfterRefusal()
  const types = typesIn(type)
  const states = statesOf({ delivered, delivery })
  if (
    types?.length === 0 ||
    states?.length === 0 ||
    actor === '' ||
    actor?.includes('\0') === true ||
    [user, entity, job].some((id) => id !== undefined && !isUuid(id))
  )
    return undefined
  return {
    order,
    types,
    user: user?.toLowerCase(),
    entity: entity?.toLowerCase(),
    actor,
    job: job?.toLowerCase(),
    isFolded: jobs === 'one',
    states,
    from: from === undefined ? undefined : Date.parse(from),
    to: to === undefined ? undefined : Date.parse(to),
    after: position,
    withDelivery: more === 'delivery',
  }
}

/** Returns the event types in a comma-separated list; undefined stands for all types. */
export function typesIn(list: string | undefined): string[] | undefined {
  const names = list?.split(',').map((name) => name.trim())
  return names && [...new Set(names.filter((name) => /^\w{1,100}$/.test(name)))]
}

/** Returns the delivery states that a query selects; undefined stands for all of them. */
export function statesOf({
  delivered,
  delivery,
}: Pick<ListEventsQuery, 'delivered' | 'delivery'>): DeliveryState[] | undefined {
  if (delivered === undefined && delivery === undefined) return undefined
  return deliveryStates.filter(
    (state) =>
      (delivered === undefined || delivered === String(state === 'delivered')) &&
      (delivery === undefined || delivery === state),
  )
}

export function unknownAfterRefusal(): Refusal {
  const detail = 'No event has this id, so nothing can continue after it. Start again without it.'
  return new Refusal('invalid_after', detail, {
    errors: [{ pointer: '', parameter: 'after', code: 'invalid_after', detail }],
  })
}
