import { validate as isUuid } from 'uuid'

import type { Endpoints, Query } from '#contract/index.ts'
import type { Database } from '../store/database.ts'
import { notFound, Refusal } from '../http/problem.ts'
import type { Handlers } from '../http/serve.ts'
import { eventsSeenBy } from '../events/reasons.ts'
import {
  eventJsonById,
  eventPageJson,
  type EventFilter,
  matchingEventsJson,
  numberEvents,
  positionOf,
} from '../events/storage.ts'

export function eventRoutes({
  database,
}: {
  readonly database: Database
}): Handlers<'listEvents' | 'getEvent'> {
  return {
    async listEvents({ query: { offset, ...asked }, caller }) {
      const answer = async (json: string) =>
        ({ status: 200, json: await eventsSeenBy(database, caller, json) }) as const
      const isFiltered = Object.values(asked).some((value) => value !== undefined)
      if (isFiltered && offset !== undefined) throw offsetBesideFilter()
      await numberEvents(database.sql)
      if (!isFiltered) return await answer(await eventPageJson(database.sql, Number(offset ?? 0)))
      const filter = await eventFilter(database, asked)
      return await answer(filter ? await matchingEventsJson(database.sql, filter) : '[]')
    },

    async getEvent({ params, caller }) {
      if (!isUuid(params.event_id)) throw notFound('event')
      await numberEvents(database.sql)
      const json = await eventJsonById(database.sql, params.event_id)
      if (json === undefined) throw notFound('event')
      return { status: 200, json: await eventsSeenBy(database, caller, json) }
    },
  }
}

/** `undefined`: it asks for what no event can have. */
export async function eventFilter(
  database: Database,
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

type ListEventsQuery = Query<Endpoints['listEvents']>

function offsetBesideFilter(): Refusal {
  const detail = 'Leave the offset out: a page of matching events continues with `after`.'
  return new Refusal('invalid_parameter', detail, {
    errors: [{ pointer: '', parameter: 'offset', code: 'invalid_parameter', detail }],
  })
}

function unknownAfter(): Refusal {
  const detail = 'There is no event with this id to continue after. Start again without it.'
  return new Refusal('invalid_after', detail, {
    errors: [{ pointer: '', parameter: 'after', code: 'invalid_after', detail }],
  })
}
