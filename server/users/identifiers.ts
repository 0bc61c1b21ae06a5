import { sql } from 'kysely'

import type { Handle } from '../store/sql.ts'

/** Identifiers that no two users may share. */
export interface Identifiers {
  readonly id: string
  readonly email_key: string | null
  readonly ref: string | null
}

// In a distributed store no machine can see that an e-mail or a ref is taken on another one. Identifiers therefore have
// their own table, distributed by value.

/** Claims the identifiers of users about to be inserted. Returns the ids of those who got all of theirs. */
export async function claim(transaction: Handle, users: readonly Identifiers[]): Promise<Set<string>> {
  const wanted = users.flatMap(identifierRows)
  const got = new Set<string>()
  // Claims one kind after the other. Otherwise two writers that want the same e-mail and ref at once on two machines
  // could each get one and wait for the other.
  for (const kind of ['email', 'ref'] as const) {
    const those = wanted.filter((row) => row.kind === kind)
    if (those.length === 0) continue
    const { rows } = await sql<{ kind: string; value: string }>`
      insert into user_identifiers (kind, value, user_id)
      select kind, value, "user" from jsonb_to_recordset(${JSON.stringify(those)}::jsonb)
        as row (kind text, value text, "user" uuid)
      on conflict do nothing returning kind, value`.execute(transaction)
    for (const row of rows) got.add(identifierKey(row))
  }
  const owned = new Set(users.map(({ id }) => id))
  for (const row of wanted) if (!got.has(identifierKey(row))) owned.delete(row.user)
  const others = wanted.filter((row) => !owned.has(row.user) && got.has(identifierKey(row)))
  if (others.length > 0) await release(transaction, others)
  return owned
}

/** Replaces the identifiers of a user, whom the caller has locked. */
export async function replaceClaims(transaction: Handle, after: Identifiers): Promise<void> {
  const { rows: before } = await sql<Identifiers>`
    select id, email_key, ref from users where id = ${after.id}::uuid`.execute(transaction)
  const [old, now] = [before.flatMap(identifierRows), identifierRows(after)]
  const isIn = (rows: readonly Row[]) => {
    const keys = new Set(rows.map(identifierKey))
    return (row: Row) => keys.has(identifierKey(row))
  }
  const gone = old.filter((row) => !isIn(now)(row))
  if (gone.length > 0) await release(transaction, gone)
  for (const row of now.filter((each) => !isIn(old)(each))) {
    const { rows } = await sql`
      insert into user_identifiers (kind, value, user_id) values (${row.kind}, ${row.value}, ${row.user}::uuid)
      on conflict do nothing returning 1`.execute(transaction)
    // Same error as from the unique constraint of a store on one machine.
    if (rows.length === 0)
      throw Object.assign(new Error('Taken by another user.'), {
        code: '23505',
        constraint: constraints[row.kind],
      })
  }
}

/** Removes what a distributed store would keep of a deleted user: identifiers, the count and the audit key. */
export async function leave(transaction: Handle, id: string): Promise<void> {
  await replaceClaims(transaction, { id, email_key: null, ref: null })
  await countUsers(transaction, -1)
  await sql`delete from audit_keys where user_id = ${id}::uuid`.execute(transaction)
}

/** Adjusts the number of users, as triggers do in a store on one machine. */
export async function countUsers(transaction: Handle, more: number): Promise<void> {
  await sql`update user_counts set users = users + ${more}::int where slot = pg_backend_pid() & 63`.execute(
    transaction,
  )
}

interface Row {
  readonly kind: 'email' | 'ref'
  readonly value: string
  readonly user: string
}

const constraints = { email: 'users_email_key_unique', ref: 'users_ref_unique' } as const

const identifierRows = ({ id, email_key, ref }: Identifiers): Row[] => [
  ...(email_key === null ? [] : [{ kind: 'email', value: email_key, user: id } as const]),
  ...(ref === null ? [] : [{ kind: 'ref', value: ref, user: id } as const]),
]

const identifierKey = ({ kind, value }: { readonly kind: string; readonly value: string }) =>
  `${kind} ${value}`

async function release(transaction: Handle, rows: readonly Row[]): Promise<void> {
  for (const { kind, value } of rows)
    await sql`delete from user_identifiers where value = ${value} and kind = ${kind}`.execute(transaction)
}
