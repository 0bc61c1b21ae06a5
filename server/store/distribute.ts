import { sql } from 'kysely'

import { detectDistribution, userIdentifiers } from './distributed.ts'
import type { Handle } from './sql.ts'

/** Tables that are distributed by user, each after the ones that it references. */
const tablesOfUsers: readonly { readonly name: string; readonly user: string; readonly refersTo?: string }[] =
  [
    { name: 'users', user: 'id' },
    ...['user_terms', 'user_keys', 'entities', 'changesets', 'reasons'].map((name) => ({
      name,
      user: 'user_id',
      refersTo: 'foreign key (user_id) references users (id)',
    })),
    {
      name: 'value_terms',
      user: 'user_id',
      refersTo: 'foreign key (user_id, entity_id) references entities (user_id, id)',
    },
  ]

/** Whether a database can be distributed: it has the Citus extension and is not distributed yet. */
export async function canDistribute(db: Handle): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_extension where extname = 'citus'`.execute(db)
  return rows.length > 0 && !(await detectDistribution(db))
}

/** Whether there are no users yet, so that nothing has to move. */
export async function isEmpty(db: Handle): Promise<boolean> {
  const { rows } = await sql`select 1 from users limit 1`.execute(db)
  return rows.length === 0
}

/**
 * Distributes users and all their data over the machines of a Citus cluster; everything else stays on the coordinator.
 * Does all of it or, on failure, nothing. The store must not be in use.
 */
export async function distribute(db: Handle): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    // If several processes start at the same time, only one distributes the tables.
    await sql`select pg_advisory_xact_lock(hashtext('data-store distribute'))`.execute(transaction)
    if (await detectDistribution(transaction)) return
    const run = async (text: string) => await sql.raw(text).execute(transaction)
    // Uses one connection to each machine, because table changes must see each other.
    await run(`set local citus.multi_shard_modify_mode = 'sequential'`)
    for (const { name, refersTo } of tablesOfUsers.toReversed())
      if (refersTo !== undefined) await run(`alter table ${name} drop constraint ${foreignKey(name)}`)
    await run(`
      -- The rows stay on the coordinator, which cannot reference distributed tables. See leave in identifiers.ts.
      alter table audit_keys drop constraint audit_keys_user_fk;
      -- A machine cannot check uniqueness across the others, and distributed tables cannot have triggers.
      alter table users drop constraint users_email_key_unique, drop constraint users_ref_unique;
      create index users_email_key_index on users (email_key);
      create index users_ref_index on users (ref);
      drop trigger users_count_inserted on users;
      drop trigger users_count_deleted on users;
      drop trigger users_count_truncated on users;
      drop trigger if exists entities_retyped on entities;
      create table ${userIdentifiers} (
        kind text collate "C" not null,
        value text collate "C" not null,
        user_id uuid not null,
        constraint user_identifiers_pkey primary key (value, kind)
      )`)
    await run(`select create_distributed_table('${userIdentifiers}', 'value')`)
    for (const { name, user } of tablesOfUsers) {
      const beside = name === 'users' ? 'none' : 'users'
      await run(`select create_distributed_table('${name}', '${user}', colocate_with => '${beside}')`)
      // Removes the local rows, which are now on the machines.
      await run(`select truncate_local_data_after_distributing_table('${name}')`)
    }
    for (const { name, refersTo } of tablesOfUsers)
      if (refersTo !== undefined)
        await run(`alter table ${name} add constraint ${foreignKey(name)} ${refersTo} on delete cascade`)
    await run(`
      insert into ${userIdentifiers} (kind, value, user_id)
      select 'email', email_key, id from users where email_key is not null
      union all select 'ref', ref, id from users where ref is not null`)
  })
}

const foreignKey = (table: string) => `${table}_${table === 'value_terms' ? 'entity' : 'user'}_fk`
