import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { type Kysely, sql } from 'kysely'
import type { Migration, MigrationProvider } from 'kysely/migration'

import { fillValueTerms } from './0004-values-to-search.ts'

/**
 * In the order of their names, forward only. Each one is SQL and code of its own: what the service does today is not called,
 * since one that has been released is never edited again.
 */
export const migrations: MigrationProvider = {
  getMigrations: () =>
    Promise.resolve({
      '0001-tables': statements('0001-tables.sql'),
      '0002-orders-of-users': statements('0002-orders-of-users.sql'),
      '0003-jobs': statements('0003-jobs.sql'),
      '0004-values-to-search': statements('0004-values-to-search.sql', fillValueTerms),
      '0005-sizes-of-segments': statements('0005-sizes-of-segments.sql'),
      '0006-sizes-of-sensitive-segments': statements('0006-sizes-of-sensitive-segments.sql'),
      '0007-counts-of-jobs': statements('0007-counts-of-jobs.sql'),
      '0008-states-of-events': statements('0008-states-of-events.sql'),
      '0009-counts-of-events': statements('0009-counts-of-events.sql'),
      '0010-ages-of-deliveries': statements('0010-ages-of-deliveries.sql'),
      '0011-audit': statements('0011-audit.sql'),
      '0012-what-tries-were': statements('0012-what-tries-were.sql'),
      '0013-health-of-subscriptions': statements('0013-health-of-subscriptions.sql'),
    }),
}

export const statements = (file: string, fill?: (db: Kysely<unknown>) => Promise<void>): Migration => ({
  async up(db: Kysely<unknown>) {
    await sql.raw(readFileSync(path.resolve(import.meta.dirname, file), 'utf8')).execute(db)
    await fill?.(db)
  },
})

/** Another one for every change of a migration. */
export function migrationsVersion(): string {
  const hash = createHash('sha256')
  for (const file of readdirSync(import.meta.dirname).toSorted())
    if (!file.includes('.test.'))
      hash.update(file).update(readFileSync(path.resolve(import.meta.dirname, file)))
  return hash.digest('hex').slice(0, 12)
}
