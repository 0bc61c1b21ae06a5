import { sql } from 'kysely'

import { emailKey, fold } from '#contract/index.ts'
import type { Database } from '../sealing/database.ts'
import type { Handle } from '../store/sql.ts'
import { type Candidate, deriveMarkKey, markDigest, type MarkKind, marksOf } from './marks.ts'

/** Whether a text is an identifier of an erased user. */
export type IsErased = (candidate: Candidate) => boolean

/** Things that may still hold identifiers of erased users; each is emptied apart from the other. */
export type Holder = 'segments' | 'jobs'

const emptiedColumns = { segments: sql.ref('segments_emptied'), jobs: sql.ref('jobs_emptied') }

/** Keeps the marks of a user who is being deleted. */
export async function keepMarks(
  transaction: Handle,
  { indexKey }: Database['keys'],
  user: string,
  identity: Parameters<typeof marksOf>[1],
): Promise<void> {
  const marks = marksOf(deriveMarkKey(indexKey), identity)
  if (marks.length === 0) return
  await sql`
    insert into erasure_marks (user_id, kind, digest) select ${user}::uuid, kind, digest
    from jsonb_to_recordset(${JSON.stringify(marks)}::jsonb) as mark (kind text, digest text)
    on conflict do nothing`.execute(transaction)
}

/** Erased users who are looked for at once. */
const usersAtOnce = 10_000

/**
 * Calls `empty` for erased users whose deletion does not wait for these master keys, some at a time, until the holder has been
 * emptied of all of them, or `empty` returns false because it could not empty everything yet.
 */
export async function emptyOfErased(
  database: Database,
  holder: Holder,
  masters: readonly string[],
  empty: (known: IsErased) => Promise<boolean>,
): Promise<void> {
  const column = emptiedColumns[holder]
  for (;;) {
    const { rows } = await sql<{ user: string }>`
      select user_id as "user" from erasures
      where not ${column} and (masters is null or not masters && ${masters}::text[])
      limit ${usersAtOnce}`.execute(database.sql)
    if (rows.length === 0) return
    const users = rows.map(({ user }) => user)
    if (!(await empty(await knownOf(database, users)))) return
    await sql`update erasures set ${column} = true where user_id = any(${users}::uuid[])`.execute(
      database.sql,
    )
    await sql`
      delete from erasure_marks where user_id in (
        select user_id from erasures where user_id = any(${users}::uuid[]) and segments_emptied and jobs_emptied
      )`.execute(database.sql)
  }
}

/** Returns what recognises identifiers of these erased users. */
export async function knownOf({ sql: handle, keys }: Database, users: readonly string[]): Promise<IsErased> {
  const { rows } = await sql<{ kind: MarkKind; digest: string }>`
    select kind, digest from erasure_marks where user_id = any(${users}::uuid[])`.execute(handle)
  const marks = new Set(rows.map(({ kind, digest }) => `${kind} ${digest}`))
  const ids = new Set(users)
  const secret = deriveMarkKey(keys.indexKey)
  return (candidate) => {
    if (candidate.kind === 'id') return ids.has(candidate.form)
    return marks.size > 0 && marks.has(`${candidate.kind} ${markDigest(secret, candidate)}`)
  }
}

/**
 * Returns the result of `empty` with the identifiers that it meets and that belong to an erased user alone; undefined if it meets
 * none. What a living user has as well, such as the same name, is no trace of the erased one.
 */
export async function withoutErased<Result>(
  handle: Handle,
  known: IsErased,
  empty: (isErased: IsErased) => Result,
): Promise<Result | undefined> {
  const met: Candidate[] = []
  empty((candidate) => {
    if (known(candidate)) met.push(candidate)
    return false
  })
  if (met.length === 0) return undefined
  const living = await livingAmong(handle, met)
  const erased = new Set(met.map(candidateName).filter((name) => !living.has(name)))
  return erased.size === 0 ? undefined : empty((candidate) => erased.has(candidateName(candidate)))
}

const candidateName = ({ kind, form }: Candidate) => `${kind} ${form}`

/** Returns the names of those candidates that a user has who is not deleted. */
async function livingAmong(handle: Handle, candidates: readonly Candidate[]): Promise<ReadonlySet<string>> {
  const living = new Set<string>()
  for (const { kind, keyOf, column } of lookups) {
    const those = candidates.filter((candidate) => candidate.kind === kind)
    if (those.length === 0) continue
    const { rows } = await sql<{ key: string }>`
      select distinct ${column} as key from users where ${column} = any(${those.map(({ text }) => keyOf(text))}::text[])`.execute(
      handle,
    )
    const keys = new Set(rows.map(({ key }) => key))
    for (const candidate of those) if (keys.has(keyOf(candidate.text))) living.add(candidateName(candidate))
  }
  return living
}

const lookups = [
  { kind: 'email', column: sql.ref('email_key'), keyOf: (text: string) => emailKey(text.trim()) },
  { kind: 'name', column: sql.ref('name_key'), keyOf: (text: string) => fold(text.trim()) },
  { kind: 'ref', column: sql.ref('ref_key'), keyOf: (text: string) => fold(text.trim()) },
] as const
