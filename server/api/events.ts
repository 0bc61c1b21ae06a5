import { eventCountsJson } from '../events/counts.ts'
import { eventFilter } from '../events/filter.ts'
import { matchingEvents } from '../events/matching-storage.ts'
import { eventsSeenBy } from '../events/reasons.ts'
import { eventJsonById, eventPageJson, numberEvents } from '../events/storage.ts'
import { notFound, Refusal } from '../http/errors/problem.ts'
import type { Handlers } from '../http/handler.ts'
import type { Needs } from './needs.ts'

export function eventHandlers({ database }: Needs): Handlers<'listEvents' | 'getEvent' | 'countEvents'> {
  return {
    async listEvents({ query: { offset, ...given }, caller }) {
      const answer = async (json: string) =>
        ({ status: 200, json: await eventsSeenBy(database, caller, json) }) as const
      const isFiltered = Object.values(given).some((value) => value !== undefined)
      if (isFiltered && offset !== undefined) throw offsetBesideFilter()
      if (!isFiltered) return await answer(await eventPageJson(database.sql, Number(offset ?? 0)))
      await numberEvents(database.sql)
      const filter = await eventFilter(database, given)
      const found = filter ? await matchingEvents(database.sql, filter) : []
      return await answer(`[${found.map(({ json }) => json).join()}]`)
    },

    async getEvent({ params, query, caller }) {
      await numberEvents(database.sql)
      const json = await eventJsonById(database.sql, params.event_id, { delivery: query.with === 'delivery' })
      if (json === undefined) throw notFound('event')
      return { status: 200, json: await eventsSeenBy(database, caller, json) }
    },

    async countEvents({ query }) {
      await numberEvents(database.sql)
      return { status: 200, json: await eventCountsJson(database.sql, query) }
    },
  }
}

function offsetBesideFilter(): Refusal {
  const detail = 'Leave the offset out: a page of matching events continues with `after`.'
  return new Refusal('invalid_parameter', detail, {
    errors: [{ pointer: '', parameter: 'offset', code: 'invalid_parameter', detail }],
  })
}
