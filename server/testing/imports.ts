import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import { importChunkRows, importMapping, type ImportMapping } from '#contract/import.ts'
import { type Role, roleScopes, type Scope } from '#contract/index.ts'
import { storeChunk } from '../imports/chunks.ts'
import { sealTyped } from '../jobs/task.ts'
import type { Database } from '../sealing/database.ts'

type Column = ImportMapping['columns'][number]
type GivenMapping = Partial<Omit<ImportMapping, 'columns'>>

/** Returns the target of a column by a short name: `.email` for a field, `car.plate` or `phone` for a property. */
export function targetOf(name: string, type = 'TEXT', more: object = {}): object {
  if (name === '') return { to: 'ignore' }
  if (name.startsWith('.')) return { to: 'field', field: name.slice(1), ...more }
  const [entity = '', key] = name.includes('.') ? name.split('.') : ['person', name]
  return { to: 'property', entity, key, type, ...more }
}

/** Stores a file with its mapping, as an upload does, and returns the id of its job. */
export async function storeFile(
  database: Database,
  {
    columns,
    rows,
    role = 'steward',
    actor = role,
    scopes = roleScopes[role],
    ...given
  }: GivenMapping & {
    readonly columns: readonly object[]
    readonly rows: readonly (readonly string[])[]
    readonly role?: Role
    /** Author; called as the role if undefined. */
    readonly actor?: string
    readonly scopes?: readonly Scope[]
  },
): Promise<string> {
  const id = uuidv7()
  const mapping = importMapping.parse({ columns, ...given })
  const headers = Array.from(mapping.columns, (column: Column) => ({
    samples: [],
    type: 'TEXT',
    header: column.to === 'field' ? column.field : column.to === 'property' ? column.key : '',
  }))
  const value = {
    found: { rows: rows.length, guarded: 0, doubled: [] },
    columns: headers,
    firstRows: [],
    mapping,
  }
  const sealed = sealTyped(database.keys.indexKey, id, { value })
  await sql`
    insert into jobs (id, kind, actor, scopes, dry_run, asked, sealed, state, total, users, waiting, created, turn)
    values (${id}::uuid, 'import', ${actor}, ${[...scopes]}::text[], true,
      ${JSON.stringify({ rows: rows.length, columns: headers.length })}::jsonb, ${sealed}, 'ready',
      ${rows.length}, ${rows.length}, ${rows.length}, now() at time zone 'UTC', now() at time zone 'UTC')`.execute(
    database.sql,
  )
  await sql`insert into imports (id, job_id, begun) values (${id}::uuid, ${id}::uuid, now())`.execute(
    database.sql,
  )
  for (let at = 0; at * importChunkRows < rows.length; at++) {
    const some = rows.slice(at * importChunkRows, (at + 1) * importChunkRows)
    await storeChunk(
      database,
      id,
      at,
      some.map((cells, index) => [at * importChunkRows + index + 2, cells] as const),
    )
  }
  return id
}
