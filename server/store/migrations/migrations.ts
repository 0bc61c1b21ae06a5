import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { Migration, MigrationProvider } from 'kysely/migration'

import { fillValueTerms } from './0004-values-to-search.ts'
import { countOfTypes } from './0015-who-has-several.ts'
import { fillInnerStarts } from './0017-names-without-blanks.ts'
import { foldDottedI } from './0019-one-i.ts'
import { keyMailboxes } from './0020-mailboxes.ts'
import { foldForSearch } from './0030-one-folding.ts'
import { addLetters } from './0035-more-letters.ts'

type Tell = (line: string) => void

/**
 * Returns all migrations by name, in order and forward only. Each consists of its own SQL and code and never calls the
 * service's current code, since a released migration is never edited again. `tell` gets what one has found that the
 * operator has to look at.
 */
export const migrations = (tell: Tell = () => {}): MigrationProvider => ({
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
      '0014-which-of-its-type': statements('0014-which-of-its-type.sql'),
      '0015-who-has-several': inSteps('0015-who-has-several.sql', countOfTypes),
      '0016-kept-erasures': inSteps('0016-kept-erasures.sql'),
      '0017-names-without-blanks': ofRows(fillInnerStarts),
      '0018-events-of-several-entities': inSteps('0018-events-of-several-entities.sql'),
      '0019-one-i': ofRows(foldDottedI),
      '0020-mailboxes': inSteps('0020-mailboxes.sql', (db) => keyMailboxes(db, tell)),
      '0021-actors-of-events': inSteps('0021-actors-of-events.sql'),
      '0022-definitions': statements('0022-definitions.sql'),
      '0023-kinds-of-jobs': statements('0023-kinds-of-jobs.sql'),
      '0024-undo-of-jobs': statements('0024-undo-of-jobs.sql'),
      '0025-imports': statements('0025-imports.sql'),
      '0026-files-of-jobs': statements('0026-files-of-jobs.sql'),
      '0027-events-of-jobs': inSteps('0027-events-of-jobs.sql'),
      '0028-rows-of-imports': statements('0028-rows-of-imports.sql'),
      '0029-results-of-jobs': statements('0029-results-of-jobs.sql'),
      '0030-one-folding': ofRows(foldForSearch),
      '0031-marks-of-erasures': inSteps('0031-marks-of-erasures.sql'),
      '0032-digests-of-erasures': inSteps('0032-digests-of-erasures.sql'),
      '0033-reverts': inSteps('0033-reverts.sql'),
      '0034-workbooks-in-parts': statements('0034-workbooks-in-parts.sql'),
      '0035-more-letters': ofRows(addLetters),
    }),
})

type Fill = (db: Kysely<unknown>) => Promise<void>

/**
 * Time for which a migration in one transaction waits for a table lock; until it gets the lock, all later statements on
 * that table wait behind it.
 */
const lockLimitMs = 1000

/** Makes a migration that runs in one transaction: it is done completely or not at all. */
export const statements = (file: string, fill?: Fill): Migration => ({
  async up(db: Kysely<unknown>) {
    if (!db.isTransaction) throw new OtherWay()
    await sql`select set_config('lock_timeout', ${`${lockLimitMs}ms`}, true)`.execute(db)
    await sql.raw(textOf(file)).execute(db)
    await fill?.(db)
  },
})

/**
 * Makes a migration for large tables that are being written to: each statement has its own transaction, or none
 * (`create index concurrently`). After a crash all of it runs again, so every statement must be repeatable.
 */
export const inSteps = (file: string, fill?: Fill): Migration => ({
  async up(db: Kysely<unknown>) {
    if (db.isTransaction) throw new OtherWay()
    const each = textOf(file).split(/;[ \t]*$/m)
    for (const statement of each.map((text) => text.trim()))
      if (statement !== '') await sql.raw(statement).execute(db)
    await fill?.(db)
  },
})

/** Makes a migration that only changes rows, in its own transactions; it must be repeatable. */
const ofRows = (fill: Fill): Migration => ({
  async up(db: Kysely<unknown>) {
    if (db.isTransaction) throw new OtherWay()
    await fill(db)
  },
})

/** Thrown by a migration that was run in a transaction but needs none, or the reverse. */
export class OtherWay extends Error {}

const textOf = (file: string) => readFileSync(path.resolve(import.meta.dirname, file), 'utf8')
