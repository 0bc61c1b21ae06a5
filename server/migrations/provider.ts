import type { MigrationProvider } from 'kysely/migration'
import * as firstTables from './0001-first-tables.ts'

// In code instead of read from the folder: what runs is what was type-checked. They run in the order of their names,
// forward only, and one that has been released is never edited again.
export const migrations: MigrationProvider = {
  getMigrations: () => Promise.resolve({ '0001-first-tables': firstTables }),
}
