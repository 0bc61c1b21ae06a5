import { validate as isUuid } from 'uuid'

import { auditDays, auditRowsPerPage, maxAuditDays } from '#contract/index.ts'
import { type ActorRow, actorsOf, auditRows, type AuditStoredRow } from '../audit/storage.ts'
import { isUnusual } from '../audit/unusual.ts'
import { unknownAfter } from '../events/filter.ts'
import { reasonsOf } from '../events/reasons.ts'
import { entitiesIn } from '../events/named-entities.ts'
import { numberEvents, positionOf } from '../events/storage.ts'
import { requireScopes } from '../http/caller.ts'
import { Refusal } from '../http/problem.ts'
import type { Handlers } from '../http/serve.ts'
import type { Needs } from './needs.ts'

const maxActors = 1000
const dayMs = 86_400_000

export function auditHandlers({ database }: Needs): Handlers<'listAudit' | 'listAuditActors'> {
  return {
    async listAudit({ query: { user, from, to, after, ...asked }, caller }) {
      // Who has which properties tells of them: as in the log.
      if (asked.key !== undefined) requireScopes(caller, ['entities:read'])
      await numberEvents(database.sql)
      const position =
        after !== undefined && isUuid(after) ? await positionOf(database.sql, after) : undefined
      if (after !== undefined && position === undefined) throw unknownAfter()
      if (user !== undefined && !isUuid(user)) return { status: 200, body: { rows: [], next: '' } }
      const found = await auditRows(database.sql, {
        ...asked,
        user,
        from: from === undefined ? undefined : Date.parse(from),
        to: to === undefined ? undefined : Date.parse(to),
        after: position,
      })
      const rows = found.slice(0, auditRowsPerPage)
      const reasons = await reasonsOf(database, rows.map(reasonId))
      const seesKeys = caller.scopes.has('entities:read')
      return {
        status: 200,
        body: {
          rows: rows.map((row) => answered(row, reasons.get(reasonId(row)), seesKeys)),
          next: found.length > rows.length ? (rows.at(-1)?.id ?? '') : '',
        },
      }
    },

    async listAuditActors({ query: { from, to } }) {
      const span = daysOf(from, to)
      await numberEvents(database.sql)
      const found = await actorsOf(database.sql, { ...span, atMost: maxActors + 1 })
      const actors = found.slice(0, maxActors).map(answeredActor)
      return {
        status: 200,
        body: {
          ...span,
          ...(found.length > maxActors && { atLeast: true }),
          actors: [...actors.filter(({ unusual }) => unusual), ...actors.filter(({ unusual }) => !unusual)],
        },
      }
    },
  }
}

/** A change's is kept with the changeset. */
const reasonId = ({ id, changeset }: AuditStoredRow) => changeset ?? id

function answered(
  { keys, user, entity, entities, by, users, segment, changeset, ...row }: AuditStoredRow,
  reason: string | undefined,
  seesKeys: boolean,
) {
  return {
    ...row,
    ...(user !== null && { user }),
    ...(entity !== null && { entity }),
    ...(entities !== null && {
      // Names of properties tell of a person, and go with the user.
      entities: [...entitiesIn(entities)].map(([id, read]) =>
        seesKeys && keys.length > 0 ? { id, keys: [...read] } : { id },
      ),
    }),
    ...(by !== null && { by }),
    ...(segment !== null && { segment }),
    ...(users !== null && { users }),
    ...(seesKeys && { keys }),
    ...(reason !== undefined && { reason }),
    ...(changeset !== null && { changeset }),
  }
}

function answeredActor({ most, hour, usual, ...row }: ActorRow) {
  return {
    ...row,
    busiest: { people: most, hour },
    ...(usual !== null && { usual }),
    unusual: isUnusual({ most, usual }),
  }
}

/** PostgreSQL writes years beyond in another way, and so does JavaScript. */
const lastDay = Date.UTC(9999, 11, 31) / dayMs

/** The days in UTC that a span of moments touches, from 1970 on. */
function daysOf(from: string | undefined, to: string | undefined): { from: string; to: string } {
  const end = to === undefined ? Date.now() : Date.parse(to) - 1
  const last = Math.min(lastDay, Math.max(1, Math.floor(end / dayMs) + 1))
  const first = Math.max(0, from === undefined ? last - auditDays : Math.floor(Date.parse(from) / dayMs))
  if (first >= last || last - first > maxAuditDays) throw wrongSpan()
  const day = (count: number) => new Date(count * dayMs).toISOString().slice(0, 10)
  return { from: day(first), to: day(last) }
}

function wrongSpan(): Refusal {
  const detail = `Give a span that ends after it begins, of ${maxAuditDays} days at most.`
  return new Refusal('invalid_parameter', detail, {
    errors: [{ pointer: '', parameter: 'from', code: 'invalid_parameter', detail }],
  })
}
