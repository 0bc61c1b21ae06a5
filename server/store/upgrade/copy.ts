import { type ClientBase, type Connection, Query } from 'pg'

import type { PGlite } from './pglite.ts'

export interface Table {
  readonly name: string
  /** Columns to write: those that the database does not compute itself. */
  readonly written: string
  readonly columns: string
  readonly pieces: readonly Piece[]
}

/** Rows in a range of consecutive pages. */
interface Piece {
  readonly first: number
  readonly last: number
  readonly rows: number
  readonly bytes: number
  readonly digest: string
}

/** Approximate size of the data held in memory at once; a page with more than this is still read whole. */
const pieceBytes = 2 * 2 ** 20

/** Settings that fix how values are written as text. */
const textSettings = `set datestyle = 'ISO, MDY'; set timezone = 'UTC'; set bytea_output = 'hex'; set extra_float_digits = 1`

const tablesQuery = `
  select quote_ident(c.relname) as name,
    string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns,
    string_agg(quote_ident(a.attname), ', ' order by a.attnum) filter (where a.attgenerated = '') as written
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
  group by c.oid order by c.relname`

/** Returns the names of the migrations that the old store has run, in order. */
export async function migrationsOf(old: PGlite): Promise<string[]> {
  const table = await old.rows(`select 1 where to_regclass('kysely_migration') is not null`)
  if (table.length === 0) return []
  const rows = await old.rows<{ name: string }>('select name from kysely_migration order by name')
  return rows.map(({ name }) => name)
}

/** Reads every table once, to get its size and its digests. */
export async function tablesOf(old: PGlite): Promise<Table[]> {
  await old.rows(textSettings)
  const found = await old.rows<Omit<Table, 'pieces'>>(tablesQuery)
  const tables: Table[] = []
  for (const table of found) tables.push({ ...table, pieces: await piecesOf(old, table) })
  return tables
}

async function piecesOf(old: PGlite, { name, columns }: Omit<Table, 'pieces'>): Promise<Piece[]> {
  const rows = await old.rows<Record<keyof Piece, string>>(`
    select min(page) as first, max(page) as last, sum(rows) as rows, sum(bytes) as bytes, sum(digest)::text as digest
    from (
      select *, div(sum(bytes) over (order by page) - bytes, ${pieceBytes}) as piece
      from (
        select (ctid::text::point)[0]::bigint as page, count(*) as rows, sum(octet_length(text)) as bytes,
          sum(hashtextextended(text collate "C", 0)) as digest
        from (select ctid, row(${columns})::text as text from ${name}) as written group by 1
      ) as pages
    ) as pieces
    group by piece order by 1`)
  return rows.map(({ first, last, rows: count, bytes, digest }) => ({
    first: Number(first),
    last: Number(last),
    rows: Number(count),
    bytes: Number(bytes),
    digest,
  }))
}

/**
 * Copies all rows of the old tables into the tables of the same names in another database. Triggers and foreign keys
 * are switched off: their effects are already in the rows.
 *
 * @returns The statements that recreate the indexes dropped for the copy.
 */
export async function fillTables(
  client: ClientBase,
  old: PGlite,
  tables: readonly Table[],
  copied: (bytes: number) => void,
): Promise<string[]> {
  await client.query(`${textSettings}; set session_replication_role = replica`)
  const { rows: made } = await client.query<Omit<Table, 'pieces'>>(tablesQuery)
  const columnsOf = (all: readonly Omit<Table, 'pieces'>[]) =>
    all.map(({ name, columns, written }) => `${name}: ${columns}, of them ${written}`).join('\n')
  if (columnsOf(made) !== columnsOf(tables))
    throw new Error(
      'The old store has other tables or columns than its release has made: undo that with its release.',
    )
  // Migrations put rows into some tables.
  await client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`)
  const indexes = await dropIndexes(client)
  for (const { name, written, pieces } of tables)
    for (const { first, last, bytes } of pieces) {
      const rows = await old.copy(
        `select ${written} from ${name} where ctid >= '(${first},0)' and ctid < '(${last + 1},0)'`,
      )
      await copyIn(client, `${name} (${written})`, rows)
      copied(bytes)
    }
  return indexes
}

/** Throws if a table filled by `fillTables` differs from the old one. */
export async function compareTables(
  client: ClientBase,
  tables: readonly Table[],
  compared: (table: Table) => void,
): Promise<void> {
  for (const table of tables) {
    const { name, columns, pieces } = table
    const { rows: found } = await client.query<{ rows: string; digest: string }>(
      `select count(*)::text as rows, coalesce(sum(hashtextextended(row(${columns})::text collate "C", 0)), 0)::text as digest
        from ${name}`,
    )
    const rows = pieces.reduce((sum, piece) => sum + piece.rows, 0)
    const digest = pieces.reduce((sum, piece) => sum + BigInt(piece.digest), 0n)
    if (found[0]?.rows !== String(rows) || found[0].digest !== String(digest))
      throw new Error(
        `The table ${name} is not what it was after it had been copied: look for errors of memory and disk in the system's log, and run this again.`,
      )
    compared(table)
  }
}

/**
 * Drops the indexes that back no constraint. Building an index after the copy takes a fraction of the time that
 * updating it for each row does.
 */
async function dropIndexes(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = 'public'::regnamespace and not exists (select from pg_constraint where conindid = indexrelid)`)
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}

/** A `copy … from stdin` query. `pg` calls `handleCopyInResponse`, a hook for packages that supply a stream. */
class CopyIn extends Query {
  readonly #bytes: Uint8Array

  constructor(table: string, bytes: Uint8Array, done: (error?: Error) => void) {
    super(`copy ${table} from stdin`, done)
    this.#bytes = bytes
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(
      Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength),
    )
    connection.endCopyFrom()
  }
}

interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

async function copyIn(client: ClientBase, table: string, bytes: Uint8Array): Promise<void> {
  const error = await new Promise<Error | undefined>((resolve) => {
    client.query(new CopyIn(table, bytes, resolve))
  })
  // PostgreSQL's message may quote the row, so the error gives only the code.
  if (error)
    throw new Error(`Rows of ${table.split(' ')[0]} were not taken (${codeOf(error)}).`, { cause: error })
}

const codeOf = (error: Error) => ('code' in error ? String(error.code) : error.message)
