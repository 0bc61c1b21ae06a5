import { sql } from 'kysely'
import { type MigrationProvider, Migrator } from 'kysely/migration'

import { migrations } from './migrations/migrations.ts'
import type { Handle } from './sql.ts'

/**
 * Brings the store to this version; one that a newer version has brought further is left as it is, where this version can
 * live with that. Throws with words for the operator.
 */
export async function migrate(
  db: Handle,
  { provider = migrations }: { readonly provider?: MigrationProvider } = {},
): Promise<void> {
  // Under an advisory lock of the database: of several processes that start together, one migrates.
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  if (error === undefined || (isOfOtherVersion(error) && (await canLiveWith(db, provider)))) return
  throw isOfOtherVersion(error) ? refusal(error) : error
}

/** What a running version cannot live with says so in its name: `…-needs-0019`. */
const needed = /-needs-(\d{4})$/

/**
 * Whether all that this version knows has been done, and none of what came after needs a newer one. The names are what
 * every version can read.
 */
async function canLiveWith(db: Handle, provider: MigrationProvider): Promise<boolean> {
  const known = Object.keys(await provider.getMigrations()).toSorted()
  const newest = known.at(-1) ?? ''
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const done = new Set(rows.map(({ name }) => name))
  return (
    known.every((name) => done.delete(name)) &&
    [...done].every((name) => name > newest && (needed.exec(name)?.[1] ?? '') <= newest.slice(0, 4))
  )
}

const isOfOtherVersion = (error: unknown) =>
  error instanceof Error && error.message.startsWith('corrupted migrations')

/** The store has migrations that this version does not know; nothing has been changed in it. */
const refusal = (cause: unknown) =>
  new Error(
    'This store was made by another version of Data Store and cannot be used by this one. Nothing was changed in it. ' +
      'Start the version that made it, or give this one an empty DATA_DIR or database.',
    { cause },
  )
