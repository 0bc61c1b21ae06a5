import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

import type { Filter } from '#contract/index.ts'
import { type ChangeAtRest, sealChanges } from '../../changesets/changes.ts'
import { createDataKeys, createIndexKey } from '../../sealing/data-keys.ts'
import type { Tables } from '../database.ts'
import type { Keyring } from '../../sealing/encryption.ts'
import type { StoredProperties } from '../../entities/properties.ts'
import { sealProperties } from '../../entities/sealing.ts'
import { sealOperands } from '../../segments/sealed-operands.ts'

const usersPerBatch = 500

interface OldEntity {
  user: string
  id: string
  type: string
  created: string
  properties: StoredProperties
}

interface OldChangeset {
  user: string
  id: string
  entity_id: string | null
  changes: ChangeAtRest[]
}

/**
 * Values of sensitive properties, of changes to them, and what segments compare properties with are sealed from here on:
 * see docs/decisions/0007-encryption.md.
 * 50,000 users with 75,000 entities take 15 s of one processor in the embedded store, half of it for the index.
 */
export const sealedValues = (keyring: Keyring): Migration => ({
  async up(db: Kysely<Tables>) {
    // The tables are written anew: values that were updated in place would stay in the files for long.
    await sql`lock table entities, changesets in access exclusive mode`.execute(db)

    // A key for each user who has sensitive values, wrapped by a master key. It goes with the user, and without it
    // nothing of that user's can be opened: not in a backup either.
    await sql`
      create table user_keys (
        user_id uuid constraint user_keys_pkey primary key
          constraint user_keys_user_fk references users (id) on delete cascade,
        master text collate "C" not null,
        wrapped bytea not null
      )`.execute(db)
    await sql`create index user_keys_master_index on user_keys (master)`.execute(db)
    // Keys of the whole store, wrapped likewise.
    await sql`
      create table service_keys (
        name text collate "C" constraint service_keys_pkey primary key,
        master text collate "C" not null,
        wrapped bytea not null
      )`.execute(db)
    const indexKey = await createIndexKey(db, keyring)

    // sealed: the values of sensitive properties by key, apart from what the index holds.
    await sql`
      create table sealed_entities (
        user_id uuid not null,
        id uuid not null,
        type text collate "C" not null,
        created timestamp(3) not null,
        properties jsonb not null constraint entities_properties_object check (jsonb_typeof(properties) = 'object'),
        sealed jsonb not null default '{}'
      )`.execute(db)
    await sql`create table sealed_changesets (like changesets)`.execute(db)
    for (let last: string | undefined = '00000000-0000-0000-0000-000000000000'; last !== undefined;) {
      const { rows } = await sql<{ id: string }>`
        select id from users where id > ${last}::uuid order by id limit ${usersPerBatch}`.execute(db)
      const users = rows.map(({ id }) => id)
      if (users.length > 0) await copySealed(db, keyring, indexKey, users)
      last = users.at(-1)
    }

    const { rows: segments } = await sql<{ id: string; filter: Filter }>`
      select id, filter from segments`.execute(db)
    for (const segment of segments) {
      const filter = JSON.stringify(sealOperands(() => indexKey, segment))
      await sql`update segments set filter = ${filter}::jsonb where id = ${segment.id}::uuid`.execute(db)
    }

    // As the first migrations made them, and give the reasons for.
    await sql`drop table entities, changesets`.execute(db)
    await sql`alter table sealed_entities rename to entities`.execute(db)
    await sql`
      alter table entities add constraint entities_pkey primary key (user_id, id),
        add constraint entities_user_fk foreign key (user_id) references users (id) on delete cascade`.execute(
      db,
    )
    await sql`
      create index entities_properties_gin on entities
        using gin (properties jsonb_path_ops) with (fastupdate = off)`.execute(db)
    await sql`create index entities_type_user_id_index on entities (type, user_id)`.execute(db)
    await sql`alter table sealed_changesets rename to changesets`.execute(db)
    await sql`
      alter table changesets add constraint changesets_pkey primary key (user_id, id),
        add constraint changesets_user_fk foreign key (user_id) references users (id) on delete cascade`.execute(
      db,
    )
    await sql`create index changesets_id_index on changesets (id)`.execute(db)
    // Of an empty table an engine would then believe that it is small for ever, and read all of it each time.
    const { rows } = await sql`select from users limit 1`.execute(db)
    if (rows.length > 0) await sql`analyze entities, changesets, user_keys`.execute(db)
  },
})

async function copySealed(
  db: Kysely<Tables>,
  keyring: Keyring,
  indexKey: Buffer,
  users: readonly string[],
): Promise<void> {
  const { rows: entities } = await sql<OldEntity>`
    select user_id as "user", id, type, created, properties from entities
    where user_id = any(${users}::uuid[])`.execute(db)
  const { rows: changesets } = await sql<OldChangeset>`
    select user_id as "user", id, entity_id, changes from changesets
    where user_id = any(${users}::uuid[])`.execute(db)

  // Keys that are sensitive now, or were before or after any change: as such, their values are withheld everywhere.
  const owners = new Set<string>()
  const secrets = new Map<string, Set<string>>()
  const note = (user: string, entity: string, key: string) => {
    owners.add(user)
    secrets.set(entity, (secrets.get(entity) ?? new Set()).add(key))
  }
  for (const { user, id, properties } of entities)
    for (const [key, { sensitive }] of Object.entries(properties)) if (sensitive) note(user, id, key)
  for (const { user, entity_id: entity, changes } of changesets)
    for (const { key, sensitive, sensitiveBefore } of changes)
      if (entity !== null && (sensitive || sensitiveBefore)) note(user, entity, key)

  const dataKeys = await createDataKeys(db, keyring, owners)
  const newEntities = entities.map(({ user, id, type, created, properties: old }) => {
    const keys = { dataKey: dataKeys.get(user), indexKey: () => indexKey }
    const { properties, sealed } = sealProperties(keys, { user, id }, old)
    return { user, id, type, created, properties, sealed }
  })
  await sql`
    insert into sealed_entities (user_id, id, type, created, properties, sealed)
    select "user", id, type, created, properties, sealed
    from jsonb_to_recordset(${JSON.stringify(newEntities)}::jsonb) as row ("user" uuid, id uuid, type text,
      created timestamp, properties jsonb, sealed jsonb) order by "user", id`.execute(db)
  const newChanges = changesets.map(({ user, id, entity_id: entity, changes }) => {
    const place = { user, entity: entity ?? undefined, changeset: id }
    return { user, id, changes: sealChanges(dataKeys.get(user), place, changes, secrets.get(entity ?? '')) }
  })
  await sql`
    insert into sealed_changesets (user_id, id, entity_id, entity_type, entity_type_before, op, actor, time, changes)
    select c.user_id, c.id, c.entity_id, c.entity_type, c.entity_type_before, c.op, c.actor, c.time, row.changes
    from jsonb_to_recordset(${JSON.stringify(newChanges)}::jsonb) as row ("user" uuid, id uuid, changes jsonb)
    join changesets c on c.user_id = row."user" and c.id = row.id order by c.user_id, c.id`.execute(db)
}
