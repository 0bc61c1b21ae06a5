import { type RawBuilder, sql } from 'kysely'

import { effects, maxReportedText, type Outcome, type UndoOutcome } from '#contract/index.ts'
import type { Handle } from '../store/sql.ts'

export async function countOutcomes(database: Handle, job: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ outcome: string; count: number }>`
    select coalesce(outcome, 'waiting') as outcome, count(*)::int as count from job_users
    where job_id = ${job}::uuid group by 1
    union all select 'exported', users from job_files where job_id = ${job}::uuid
    order by 1`.execute(database)
  return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]))
}

/** Result of a job for one user, with the current property and the change that the job made to it. */
export interface ReportedRow {
  readonly at: number
  readonly user: string
  /** Null if the user is gone or has no name. */
  readonly name: string | null
  readonly exists: boolean
  readonly entity: string | null
  readonly outcome: Outcome
  /** Outcome of the undo; null if it has not come to this user. */
  readonly undone: UndoOutcome | null
  readonly code: string | null
  readonly detail: string | null
  /** Current property; null if it does not exist. */
  readonly property: { readonly type: string; readonly sensitive: boolean; readonly value?: unknown } | null
  /** Change that the job made to the property; null if it made none yet. */
  readonly change: {
    readonly type: string
    readonly typeBefore?: string
    readonly before?: unknown
    readonly sealed?: unknown
  } | null
  /** Whether the property of this entity is or ever was sensitive. */
  readonly isMasked: boolean
}

type PageRow = Pick<ReportedRow, 'at' | 'user' | 'entity' | 'outcome' | 'undone' | 'code' | 'detail'> & {
  readonly changeset: string | null
}

async function byId<Row>(database: Handle, statement: RawBuilder<unknown>): Promise<Map<string, Row>> {
  const { rows } = await (statement as RawBuilder<Row & { readonly id: string }>).execute(database)
  return new Map(rows.map((row) => [row.id, row]))
}

export async function readReport(
  database: Handle,
  job: string,
  {
    key,
    outcome,
    undone,
    after,
    atMost,
  }: {
    readonly key: string
    readonly outcome: Outcome | undefined
    readonly undone: UndoOutcome | undefined
    readonly after: number
    readonly atMost: number
  },
): Promise<ReportedRow[]> {
  const isOutcome =
    outcome === undefined
      ? sql`true`
      : outcome === 'waiting'
        ? sql`outcome is null`
        : sql`outcome = ${outcome}`
  const isUndone =
    undone === undefined
      ? sql`true`
      : undone === 'waiting'
        ? sql`undone is null and outcome = any(${effects}::text[])`
        : sql`undone = ${undone}`
  const { rows: page } = await sql<PageRow>`
    select at, user_id as "user", entity_id as entity, changeset_id as changeset, coalesce(outcome, 'waiting') as outcome,
      undone, code, detail
    from job_users where job_id = ${job}::uuid and at > ${after} and user_id is not null and ${isOutcome} and ${isUndone} order by at limit ${atMost}`.execute(
    database,
  )
  const users = page.map(({ user }) => user)
  const isTheirs = sql`user_id = any(${users}::uuid[])`
  const isOne = sql`entity_id = any(${page.map(({ entity }) => entity)}::uuid[])`
  // Each query reads a single table, so it also works if users are distributed over several machines.
  const [names, properties, changes, masked] = await Promise.all([
    byId<{ name: string | null }>(database, sql`select id, name from users where id = any(${users}::uuid[])`),
    byId<Pick<ReportedRow, 'property'>>(
      database,
      sql`select id, properties -> ${key}::text as property from entities
        where ${isTheirs} and id = any(${page.map(({ entity }) => entity)}::uuid[])`,
    ),
    byId<Pick<ReportedRow, 'change'>>(
      database,
      sql`select id, (select each from jsonb_array_elements(changes) as each where each ->> 'key' = ${key}) as change
        from changesets where ${isTheirs} and id = any(${page.map(({ changeset }) => changeset)}::uuid[])`,
    ),
    byId(
      database,
      sql`select distinct entity_id as id from changesets where ${isTheirs} and ${isOne} and sensitive_keys ? ${key}::text`,
    ),
  ])
  return page.map(({ changeset, ...row }) =>
    Object.assign(row, {
      name: names.get(row.user)?.name ?? null,
      exists: names.has(row.user),
      property: (row.entity !== null && properties.get(row.entity)?.property) || null,
      change: (changeset !== null && changes.get(changeset)?.change) || null,
      isMasked: row.entity !== null && masked.has(row.entity),
    }),
  )
}

/** Cuts a long text of a report. */
export function cutReportedText(value: unknown): unknown {
  return typeof value === 'string' && value.length > maxReportedText
    ? `${value.slice(0, maxReportedText)}…`.toWellFormed()
    : value
}
