import { validate as isUuid } from 'uuid'

import type { Endpoints, Query } from '#contract/index.ts'
import { Refusal } from '../http/problem.ts'
import type { Store } from '../store/store.ts'
import type { EventFilter } from './matching-storage.ts'
import { positionOf } from './storage.ts'

type ListEventsQuery = Query<Endpoints['listEvents']>

/** `undefined`: it asks for what no event can have. */
export async function eventFilter(
  database: Store,
  { order = 'asc', type, user, entity, delivered, from, to, after }: Omit<ListEventsQuery, 'offset'>,
): Promise<EventFilter | undefined> {
  const position = after !== undefined && isUuid(after) ? await positionOf(database.sql, after) : undefined
  if (after !== undefined && position === undefined) throw unknownAfter()
  const types = type
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => /^\w{1,100}$/.test(name))
  if (types?.length === 0 || [user, entity].some((id) => id !== undefined && !isUuid(id))) return undefined
  return {
    order,
    types: types && [...new Set(types)],
    user: user?.toLowerCase(),
    entity: entity?.toLowerCase(),
    delivered: delivered && delivered === 'true',
    from: from === undefined ? undefined : Date.parse(from),
    to: to === undefined ? undefined : Date.parse(to),
    after: position,
  }
}

function unknownAfter(): Refusal {
  const detail = 'There is no event with this id to continue after. Start again without it.'
  return new Refusal('invalid_after', detail, {
    errors: [{ pointer: '', parameter: 'after', code: 'invalid_after', detail }],
  })
}
