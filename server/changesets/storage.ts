import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import type { EventType } from '#contract/index.ts'
import type { JoinedKey } from '../sealing/data-keys.ts'
import { type Handle, type Transaction, zoned } from '../store/sql.ts'
import { eventInsert } from '../events/storage.ts'
import { type ChangeAtRest, type RecordedChange, sealChanges } from './changes.ts'

type Op = 'add' | 'change' | 'remove'

/** What one write does: to a user's own fields, or to an entity. */
export interface NewChangeset {
  readonly user: string
  readonly entity?: { readonly id: string; readonly type: string; readonly typeBefore?: string }
  readonly op: Op
  /** The token's `sub`. */
  readonly actor: string
  readonly changes: readonly RecordedChange[]
}

export interface ChangesetRow extends JoinedKey {
  id: string
  entity_id: string | null
  entity_type: string | null
  entity_type_before: string | null
  op: Op
  actor: string
  /** UTC with `Z` and milliseconds. */
  time: string
  changes: ChangeAtRest[]
}

/**
 * Notes what a write changed, and the event that tells of it, in the transaction of the write. The user's row is locked
 * by then: locked by the foreign key, after the entity's, it would be in the way of who deletes the user. The data key
 * is needed only where a change is sensitive.
 */
export async function recordChange(
  transaction: Transaction,
  event: EventType,
  { user, entity, op, actor, changes }: NewChangeset,
  dataKey?: Buffer,
): Promise<void> {
  const id = uuidv7()
  if (entity && op === 'change') await sealEarlier(transaction, dataKey, user, entity.id, changes)
  const atRest = sealChanges(dataKey, { user, entity: entity?.id, changeset: id }, changes)
  const properties = { user, ...(entity && { entity: entity.id }), changeset: id, actor }
  await sql`
    with event as (${eventInsert(event, properties)})
    insert into changesets (user_id, id, entity_id, entity_type, entity_type_before, op, actor, time, changes)
    values (${user}, ${id}, ${entity?.id ?? null}, ${entity?.type ?? null}, ${entity?.typeBefore ?? null}, ${op},
      ${actor}, statement_timestamp() at time zone 'UTC', ${JSON.stringify(atRest)}::jsonb)`.execute(
    transaction,
  )
}

/** What was recorded of a property before it became sensitive is no less of a secret now. */
async function sealEarlier(
  transaction: Transaction,
  dataKey: Buffer | undefined,
  user: string,
  entity: string,
  changes: readonly RecordedChange[],
): Promise<void> {
  const marked = changes.filter(
    ({ op, sensitive, sensitiveBefore }) => sensitive && (op === 'add' || sensitiveBefore === false),
  )
  if (marked.length === 0) return
  const keys = new Set(marked.map(({ key }) => key))
  const { rows } = await sql<{ id: string; changes: ChangeAtRest[] }>`
    select id, changes from changesets
    where user_id = ${user}::uuid and entity_id = ${entity}::uuid and keys ?| ${[...keys]}::text[] and exists (
      select from jsonb_array_elements(changes) as change
      where change ->> 'key' = any(${[...keys]}::text[]) and change ?| array['before', 'after'])`.execute(
    transaction,
  )
  if (rows.length === 0) return
  const sealed = rows.map(({ id, changes }) => ({
    id,
    changes: sealChanges(dataKey, { user, entity, changeset: id }, changes, keys),
  }))
  await sql`
    update changesets set changes = earlier.changes
    from jsonb_to_recordset(${JSON.stringify(sealed)}::jsonb) as earlier (id uuid, changes jsonb)
    where changesets.user_id = ${user}::uuid and changesets.id = earlier.id`.execute(transaction)
}

/** `undefined`: none was kept under this id, or its user is gone. */
export async function changesetById(database: Handle, id: string): Promise<ChangesetRow | undefined> {
  const { rows } = await sql<ChangesetRow>`
    select id, user_id as "user", entity_id, entity_type, entity_type_before, op, actor,
      ${zoned(sql`time`)} as time, changes, master, wrapped
    from changesets left join user_keys using (user_id) where id = ${id}::uuid`.execute(database)
  return rows[0]
}

/** Keys of an entity that are sensitive now, or were before or after any of its recorded changes. */
export async function sensitiveKeys(
  database: Handle,
  user: string,
  entity: string,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ key: string }>`
    select jsonb_array_elements_text(sensitive_keys) as key from changesets
    where user_id = ${user}::uuid and entity_id = ${entity}::uuid
    union
    select key from entities, jsonb_each(properties) as property (key, content)
    where user_id = ${user}::uuid and id = ${entity}::uuid and content @> '{"sensitive":true}'`.execute(
    database,
  )
  return new Set(rows.map(({ key }) => key))
}
