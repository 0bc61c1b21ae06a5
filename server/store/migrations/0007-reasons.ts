import { createCipheriv, randomBytes } from 'node:crypto'

import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

import type { Keyring } from '../../sealing/encryption.ts'

const eventsPerBatch = 1000

interface Told {
  place: string
  id: string
  user: string
  reason: string
  master: string | null
  wrapped: Buffer | null
}

/**
 * Reasons that people gave stood in events in the open, for good. They are sealed under the key of the user whom they are
 * about, and are gone where that user is.
 */
export const reasons = (keyring: Keyring): Migration => ({
  async up(db: Kysely<unknown>) {
    // id: of the event, or of the changeset, that the reason is given for.
    await sql`
      create table reasons (
        user_id uuid not null constraint reasons_user_fk references users (id) on delete cascade,
        id uuid not null,
        sealed text not null,
        constraint reasons_pkey primary key (user_id, id)
      )`.execute(db)
    // They are asked for by the id alone. Not unique: where users are distributed, only a key with the user can be.
    await sql`create index reasons_id_index on reasons (id)`.execute(db)
    // deleted: its deliveries are being swept, and the row with them; nobody finds it any more.
    await sql`alter table subscriptions add column deleted timestamp(3)`.execute(db)

    for (const table of ['events', 'event_inbox']) {
      const told = sql`${sql.table(table)} e where e.properties ? 'reason'`
      const { rows: some } = await sql`select from ${told} limit 1`.execute(db)
      if (some.length === 0) continue
      for (let after: string | undefined = '00000000-0000-0000-0000-000000000000'; after !== undefined;) {
        const { rows } = await sql<Told>`
          select told.id as place, told.id, u.id as user, told.properties ->> 'reason' as reason, k.master, k.wrapped
          from (select id, properties from ${told} and id > ${after}::uuid order by id limit ${eventsPerBatch}) told
          left join users u on u.id::text = lower(told.properties ->> 'user')
          left join user_keys k on k.user_id = u.id order by told.id`.execute(db)
        await keep(
          db,
          keyring,
          rows.filter(({ user }) => user !== null),
        )
        after = rows.at(-1)?.place
      }
      // The table is written anew: values that were updated in place would stay in its files for long.
      await sql`
        alter table ${sql.table(table)} alter column properties type jsonb using properties - 'reason'`.execute(
        db,
      )
    }
  },
})

async function keep(db: Kysely<unknown>, keyring: Keyring, rows: readonly Told[]): Promise<void> {
  const made = new Map<string, Buffer>()
  for (const { id, user, reason, master, wrapped } of rows) {
    let dataKey = made.get(user)
    if (!dataKey && master !== null && wrapped !== null) {
      const opened = unwrapped(keyring, user, { master, wrapped })
      // A key that is damaged seals nothing any more: what it belongs to is lost to everybody, this reason with it.
      if (!opened) continue
      dataKey = opened
    }
    if (!dataKey) {
      const created = keyring.create(user)
      await sql`
        insert into user_keys (user_id, master, wrapped)
        values (${user}::uuid, ${created.stored.master}, ${created.stored.wrapped})`.execute(db)
      ;({ dataKey } = created)
    }
    made.set(user, dataKey)
    await sql`
      insert into reasons (user_id, id, sealed)
      values (${user}::uuid, ${id}::uuid, ${seal(dataKey, user, id, reason)})`.execute(db)
  }
}

/** `undefined`: it is damaged. Throws where its master key is not among the settings. */
function unwrapped(
  keyring: Keyring,
  user: string,
  stored: { master: string; wrapped: Buffer },
): Buffer | undefined {
  if (!keyring.ids.includes(stored.master)) return keyring.unwrap(user, stored)
  try {
    return keyring.unwrap(user, stored)
  } catch {
    return undefined
  }
}

/** The sealed form of its time: version · IV · tag · ciphertext, bound to the place that the reason has. */
function seal(dataKey: Buffer, user: string, id: string, reason: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', dataKey, iv, { authTagLength: 16 }).setAAD(
    Buffer.from(JSON.stringify([1, 'value', user, '', 'reason', 'TEXT', id, 'reason'])),
  )
  const body = Buffer.concat([cipher.update(JSON.stringify(reason)), cipher.final()])
  return Buffer.concat([Buffer.of(1), iv, cipher.getAuthTag(), body]).toString('base64')
}
