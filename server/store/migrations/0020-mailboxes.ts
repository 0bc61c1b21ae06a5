import { type Kysely, sql } from 'kysely'

const lowest = '00000000-0000-0000-0000-000000000000'
/** Users named in the log; docs/operations.md says how to list the others. */
const maxNamed = 200

interface EntityRow {
  readonly user: string
  readonly id: string
  readonly emails: readonly { readonly key: string; readonly value: string; readonly fold: string }[]
}

/**
 * Keys e-mails as mailboxes that were keyed by the fold for names, in the users and in open EMAIL values. Addresses in
 * ASCII have the key that they had. Tells which users had been joined with other mailboxes, after a crash as well: that
 * depends on their addresses alone. Two users never get the same key, since mailboxes that are equal had equal folds.
 */
export async function keyMailboxes(
  db: Kysely<unknown>,
  tell: (line: string) => void,
  atOnce = 5_000,
): Promise<void> {
  const joined = await keyUsers(db, atOnce)
  await keyValues(db, atOnce)
  if (joined.count === 0) return
  tell(
    `E-mails of ${joined.count} users had been taken for those of other mailboxes ("E-mails that had been joined" in ` +
      `docs/operations.md): ${joined.ids.join(' ')}${joined.count > joined.ids.length ? ' …' : ''}`,
  )
}

async function keyUsers(db: Kysely<unknown>, atOnce: number): Promise<{ count: number; ids: string[] }> {
  const { rows: distributed } = await sql`select 1 where to_regclass('user_identifiers') is not null`.execute(
    db,
  )
  const joined = { count: 0, ids: [] as string[] }
  for (let after = lowest; ;) {
    const { rows } = await sql<{ id: string; email: string; key: string }>`
      select id, email, email_key as key from users
      where id > ${after}::uuid and octet_length(email) > char_length(email) order by id limit ${atOnce}`.execute(
      db,
    )
    for (const user of rows) {
      const key = mailboxOf(user.email)
      if (joinedKeyOf(user.email) !== key) {
        joined.count += 1
        if (joined.ids.length < maxNamed) joined.ids.push(user.id)
      }
      if (user.key !== key) await keyUser(db, user, { key, isDistributed: distributed.length > 0 })
    }
    const last = rows.at(-1)
    if (!last || rows.length < atOnce) return joined
    after = last.id
  }
}

/** Changes the key of a user who still has this e-mail. */
async function keyUser(
  db: Kysely<unknown>,
  { id, email }: { readonly id: string; readonly email: string },
  { key, isDistributed }: { readonly key: string; readonly isDistributed: boolean },
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ key: string | null }>`
      select email_key as key from users where id = ${id}::uuid and email = ${email} for no key update`.execute(
      transaction,
    )
    const [before] = rows
    if (!before || before.key === key) return
    if (isDistributed) {
      await sql`delete from user_identifiers where value = ${before.key} and kind = 'email'`.execute(
        transaction,
      )
      await sql`insert into user_identifiers (kind, value, user_id) values ('email', ${key}, ${id}::uuid)`.execute(
        transaction,
      )
    }
    await sql`update users set email_key = ${key} where id = ${id}::uuid`.execute(transaction)
  })
}

async function keyValues(db: Kysely<unknown>, atOnce: number): Promise<void> {
  for (let after = { user: lowest, id: lowest }; ;) {
    const { rows } = await sql<EntityRow>`
      select user_id as "user", id, coalesce((
        select jsonb_agg(jsonb_build_object('key', key, 'value', value ->> 'value', 'fold', value ->> 'fold'))
        from jsonb_each(properties) as each (key, value)
        where value ->> 'type' = 'EMAIL' and jsonb_typeof(value -> 'fold') = 'string'
          and octet_length(value ->> 'value') > char_length(value ->> 'value')
      ), '[]') as emails
      from entities
      where (user_id, id) > (${after.user}::uuid, ${after.id}::uuid)
        and octet_length(properties::text) > char_length(properties::text)
      order by user_id, id limit ${atOnce}`.execute(db)
    for (const { user, id, emails } of rows)
      for (const { key, value, fold } of emails) {
        const mailbox = mailboxOf(value)
        if (fold === mailbox) continue
        await sql`
          update entities
          set properties = jsonb_set(properties, array[${key}::text, 'fold'], to_jsonb(${mailbox}::text))
          where user_id = ${user}::uuid and id = ${id}::uuid and properties -> ${key}::text ->> 'type' = 'EMAIL'
            and properties -> ${key}::text ->> 'value' = ${value}
            and jsonb_typeof(properties -> ${key}::text -> 'fold') = 'string'`.execute(db)
      }
    const last = rows.at(-1)
    if (!last || rows.length < atOnce) return
    after = last
  }
}

// Copied from the service, so that later changes there do not change what this migration did.

function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  return at < 0 ? mailboxKey(email) : `${mailboxKey(email.slice(0, at))}@${domainKey(email.slice(at + 1))}`
}

const mailboxKey = (name: string) =>
  name
    .normalize('NFC')
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .normalize('NFC')

function domainKey(domain: string): string {
  if (/^[\0-\x7f]*$/.test(domain)) return domain.toLowerCase()
  return URL.parse(`http://${domain}`)?.hostname ?? mailboxKey(domain)
}

/** Returns the key that the address had before this migration, as far as other addresses had it too. */
function joinedKeyOf(email: string): string {
  const at = email.lastIndexOf('@')
  const name = email
    .slice(0, Math.max(at, 0))
    .normalize('NFC')
    .replaceAll('ẞ', 'SS')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll('i\u0307', 'i')
    .normalize('NFC')
  return `${name}@${domainKey(email.slice(at + 1))}`
}
