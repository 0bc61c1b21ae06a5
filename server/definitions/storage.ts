import { sql } from 'kysely'

import type { PropertyDefinition, TypeDefinition } from '#contract/index.ts'
import { type Handle, zoned } from '../store/sql.ts'

/** A definition as it is given: of a property, or of an entity type if the key is empty. */
export interface Definition {
  readonly entityType: string
  readonly key: string
  readonly definition: PropertyDefinition | TypeDefinition
}

export interface DefinitionRow extends Definition {
  /** Time of the last change, UTC with `Z`. */
  readonly updated: string
}

/** Place of an entity type's own definition among those of its keys, which are never empty. */
export const ofTypeItself = ''

/**
 * Returns the number of the current definitions, which changes with each change of them; with `lock`, no other
 * transaction changes one before this one ends.
 */
export async function readVersion(database: Handle, { lock = false } = {}): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select version::text from definitions_version ${lock ? sql`for update` : sql``}`.execute(database)
  return rows[0]?.version ?? '0'
}

/** Returns all definitions, or those of one entity type, by type and key; a type's own comes before its properties'. */
export async function readDefinitions(database: Handle, entityType?: string): Promise<DefinitionRow[]> {
  const { rows } = await sql<DefinitionRow>`
    select entity_type as "entityType", key, definition, ${zoned(sql`updated`)} as updated from definitions
    where ${entityType === undefined ? sql`true` : sql`entity_type = ${entityType}`}
    order by entity_type, key`.execute(database)
  return rows
}

export async function countDefinitions(database: Handle): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from definitions`.execute(
    database,
  )
  return rows[0]?.count ?? 0
}

/** Stores and deletes definitions. Must be called under the lock of the version, which it counts up. */
export async function storeDefinitions(
  transaction: Handle,
  written: readonly Definition[],
  deleted: readonly Pick<Definition, 'entityType' | 'key'>[],
): Promise<void> {
  // Text in JSON: a value of type json would lose nothing, but a record of jsonb would sort the languages.
  const rows = written.map(({ entityType, key, definition }) => ({
    entity_type: entityType,
    key,
    definition: JSON.stringify(definition),
  }))
  await sql`
    insert into definitions (entity_type, key, definition, updated)
    select entity_type, key, definition::json, now() at time zone 'UTC'
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (entity_type text, key text, definition text)
    on conflict on constraint definitions_pkey do update set definition = excluded.definition, updated = excluded.updated`.execute(
    transaction,
  )
  await sql`
    delete from definitions where (entity_type, key) in (
      select entity_type, key from jsonb_to_recordset(${JSON.stringify(
        deleted.map(({ entityType, key }) => ({ entity_type: entityType, key })),
      )}::jsonb) as row (entity_type text, key text))`.execute(transaction)
  await sql`update definitions_version set version = version + 1`.execute(transaction)
}
