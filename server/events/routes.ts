import { validate as isUuid } from 'uuid'

import type { Database } from '../database.ts'
import { notFound } from '../problem.ts'
import type { Handlers } from '../serve.ts'
import { eventJsonById, eventPageJson, numberEvents } from './storage.ts'

export function eventRoutes({
  database,
}: {
  readonly database: Database
}): Handlers<'listEvents' | 'getEvent'> {
  return {
    async listEvents({ query }) {
      await numberEvents(database.sql)
      return { status: 200, json: await eventPageJson(database.sql, Number(query.offset ?? 0)) }
    },

    async getEvent({ params }) {
      if (!isUuid(params.event_id)) throw notFound('event')
      await numberEvents(database.sql)
      const json = await eventJsonById(database.sql, params.event_id)
      if (json === undefined) throw notFound('event')
      return { status: 200, json }
    },
  }
}
