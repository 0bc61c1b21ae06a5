import { sql } from 'kysely'

import type { Outcome } from '#contract/index.ts'
import type { Handle } from '../store/sql.ts'

export async function countOutcomes(database: Handle, job: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ outcome: string; count: number }>`
    select coalesce(outcome, 'waiting') as outcome, count(*)::int as count from job_users
    where job_id = ${job}::uuid group by 1 order by 1`.execute(database)
  return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]))
}

/** What a job came to with one user, and what there was before. */
export interface ReportedRow {
  readonly at: number
  readonly user: string
  /** null: the user is gone, or has none. */
  readonly name: string | null
  readonly exists: boolean
  readonly entity: string | null
  readonly outcome: Outcome
  readonly code: string | null
  readonly detail: string | null
  /** The property as it is now. null: there is none. */
  readonly property: { readonly type: string; readonly sensitive: boolean; readonly value?: unknown } | null
  /** What was changed of it; null: nothing yet. */
  readonly change: {
    readonly type: string
    readonly typeBefore?: string
    readonly before?: unknown
    readonly sealed?: unknown
  } | null
  /** The property of this entity is, or was, sensitive. */
  readonly hidden: boolean
}

export async function reportedUsers(
  database: Handle,
  job: string,
  {
    key,
    outcome,
    after,
    atMost,
  }: {
    readonly key: string
    readonly outcome: Outcome | undefined
    readonly after: number
    readonly atMost: number
  },
): Promise<ReportedRow[]> {
  const isAsked =
    outcome === undefined
      ? sql`true`
      : outcome === 'waiting'
        ? sql`outcome is null`
        : sql`outcome = ${outcome}`
  const { rows } = await sql<ReportedRow>`
    with page as materialized (
      select * from job_users where job_id = ${job}::uuid and at > ${after} and ${isAsked} order by at limit ${atMost}
    )
    select page.at, page.user_id as "user", u.name, u.id is not null as exists, page.entity_id as entity,
      coalesce(page.outcome, 'waiting') as outcome, page.code, page.detail,
      e.properties -> ${key}::text as property,
      (select each from jsonb_array_elements(c.changes) as each where each ->> 'key' = ${key}) as change,
      exists (
        select 1 from changesets earlier where earlier.user_id = page.user_id and earlier.entity_id = page.entity_id
          and earlier.sensitive_keys ? ${key}::text
      ) as hidden
    from page left join users u on u.id = page.user_id
    left join entities e on e.user_id = page.user_id and e.id = page.entity_id
    left join changesets c on c.user_id = page.user_id and c.id = page.changeset_id
    order by page.at`.execute(database)
  return rows
}
