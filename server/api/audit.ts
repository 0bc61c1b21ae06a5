import { validate as isUuid } from 'uuid'

import { auditDays, auditRowsPerPage, maxAuditDays, dayMs } from '#contract/index.ts'
import { countNewestActors } from '../audit/newest-actors.ts'
import {
  type ActorRow,
  actorsOf,
  type AuditFilter,
  auditRows,
  type AuditStoredRow,
} from '../audit/storage.ts'
import { isUnusual } from '../audit/unusual.ts'
import { unknownAfterRefusal } from '../events/filter.ts'
import { entitiesIn } from '../events/named-entities.ts'
import { reasonsOf } from '../events/reasons.ts'
import { numberEvents, positionOf } from '../events/storage.ts'
import { requireScopes } from '../http/auth/caller.ts'
import { Refusal } from '../http/errors/problem.ts'
import type { Handlers } from '../http/handler.ts'
import { reasonsOfJobs } from '../jobs/reasons.ts'
import type { Needs } from './needs.ts'

const maxActors = 1000
/**
 * Maximum number of rows that are counted if a filter by user, key or kind rules out the daily figures; PostgreSQL
 * reads that many in a few hundred milliseconds.
 */
const countedRows = 20_000
export function auditHandlers({ database }: Needs): Handlers<'listAudit' | 'listAuditActors'> {
  /**
   * Counts rows for filters that the daily figures do not cover. Without `from`, or if there are too many rows, the
   * span begins with the oldest counted row.
   */
  async function countActors(filter: Pick<AuditFilter, 'actor' | 'user' | 'key' | 'kind'>, span: AuditSpan) {
    const to = new Date(span.to ?? Date.now()).toISOString()
    const begins = span.from === undefined ? undefined : new Date(span.from).toISOString()
    if (filter.user !== undefined && !isUuid(filter.user)) return { from: begins ?? to, to, actors: [] }
    const bounds = { atMost: maxActors + 1, rows: countedRows }
    const { actors, oldest, isCut } = await countNewestActors(database.sql, { ...filter, ...span }, bounds)
    const from = isCut ? (oldest ?? begins ?? to) : (begins ?? oldest ?? to)
    return { from, to, ...(isCut && { cut: true }), ...toActorList(actors) }
  }

  return {
    async listAudit({ query: { user, from, to, after, ...wanted }, caller }) {
      // A filter by key reveals who has a property, so it needs the same scope as the keys in the log.
      if (wanted.key !== undefined) requireScopes(caller, ['entities:read'])
      await numberEvents(database.sql)
      const position =
        after !== undefined && isUuid(after) ? await positionOf(database.sql, after) : undefined
      if (after !== undefined && position === undefined) throw unknownAfterRefusal()
      if (user !== undefined && !isUuid(user)) return { status: 200, body: { rows: [], next: '' } }
      const found = await auditRows(database.sql, {
        ...wanted,
        user,
        from: moment(from),
        to: moment(to),
        after: position,
      })
      const rows = found.slice(0, auditRowsPerPage)
      const reasons = await reasonsOf(database, rows.map(reasonId))
      const ofExports = await reasonsOfJobs(
        database,
        rows.flatMap((row) => exportOf(row) ?? []),
      )
      const seesKeys = caller.scopes.has('entities:read')
      return {
        status: 200,
        body: {
          rows: rows.map((row) =>
            toAuditEntry(row, reasons.get(reasonId(row)) ?? ofExports.get(exportOf(row) ?? ''), seesKeys),
          ),
          next: found.length > rows.length ? (rows.at(-1)?.id ?? '') : '',
        },
      }
    },

    async listAuditActors({ query: { from, to, actor, ...some }, caller }) {
      if (some.key !== undefined) requireScopes(caller, ['entities:read'])
      await numberEvents(database.sql)
      if (Object.values(some).some((value) => value !== undefined))
        return { status: 200, body: await countActors({ ...some, actor }, spanOf(from, to)) }
      const span = daysOf(from, to)
      const found = await actorsOf(database.sql, { ...span, actor, atMost: maxActors + 1 })
      return { status: 200, body: { ...span, ...toActorList(found) } }
    },
  }
}

/** Returns the id under which the reason is stored; the reason of a change is stored with its changeset. */
const reasonId = ({ id, changeset }: AuditStoredRow) => changeset ?? id

/** Returns the job whose file was fetched; the reason of an export is stored with it. */
const exportOf = ({ by, job }: AuditStoredRow) => (by === 'export' ? (job ?? undefined) : undefined)

function toAuditEntry(
  { keys, user, entity, entities, by, users, segment, job, changeset, ...row }: AuditStoredRow,
  reason: string | undefined,
  seesKeys: boolean,
) {
  return {
    ...row,
    ...(user !== null && { user }),
    ...(entity !== null && { entity }),
    ...(entities !== null && {
      // `keys` is empty once the user is deleted: property names, which reveal something personal, are then hidden.
      entities: [...entitiesIn(entities)].map(([id, read]) =>
        seesKeys && keys.length > 0 ? { id, keys: [...read] } : { id },
      ),
    }),
    ...(by !== null && { by }),
    ...(by === 'export' && job !== null && { job }),
    ...(segment !== null && { segment }),
    ...(users !== null && { users }),
    ...(seesKeys && { keys }),
    ...(reason !== undefined && { reason }),
    ...(changeset !== null && { changeset }),
  }
}

function toActorList(found: readonly ActorRow[]) {
  const actors = found.slice(0, maxActors).map(toActor)
  return {
    ...(found.length > maxActors && { atLeast: true }),
    actors: [...actors.filter(({ unusual }) => unusual), ...actors.filter(({ unusual }) => !unusual)],
  }
}

function toActor({ most, hour, usual, ...row }: ActorRow) {
  return {
    ...row,
    busiest: { people: most, hour },
    ...(usual !== null && { usual }),
    unusual: isUnusual({ most, usual }),
  }
}

/** Latest end of a span, in days since 1970: PostgreSQL and JavaScript write years after 9999 differently. */
const lastDay = Date.UTC(9999, 11, 31) / dayMs

/**
 * Returns the UTC days that a span of time touches, from 1970 on; without `from`, the `auditDays` days before its end.
 */
function daysOf(from: string | undefined, to: string | undefined): { from: string; to: string } {
  const end = to === undefined ? Date.now() : Date.parse(to) - 1
  const last = Math.min(lastDay, Math.max(1, Math.floor(end / dayMs) + 1))
  const first = Math.max(0, from === undefined ? last - auditDays : Math.floor(Date.parse(from) / dayMs))
  if (first >= last || last - first > maxAuditDays) throw wrongSpan()
  const day = (count: number) => new Date(count * dayMs).toISOString().slice(0, 10)
  return { from: day(first), to: day(last) }
}

const moment = (given: string | undefined) => (given === undefined ? undefined : Date.parse(given))

type AuditSpan = Pick<AuditFilter, 'from' | 'to'>

/** Returns the span as exact moments, as the list uses them. */
function spanOf(from: string | undefined, to: string | undefined): AuditSpan {
  const span = { from: moment(from), to: moment(to) }
  if (span.from !== undefined && span.to !== undefined && span.from >= span.to)
    throw wrongSpan('Give a span that ends after it begins.')
  return span
}

function wrongSpan(
  detail = `Give a span that ends after it begins, of ${maxAuditDays} days at most.`,
): Refusal {
  return new Refusal('invalid_parameter', detail, {
    errors: [{ pointer: '', parameter: 'from', code: 'invalid_parameter', detail }],
  })
}
