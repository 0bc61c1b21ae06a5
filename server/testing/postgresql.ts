import { Client } from 'pg'

import { openStore } from '../store/store.ts'
import { TestPostgres } from '../store/testing/test-postgresql.ts'

/** Name of the database that those of tests are copies of: migrated, empty, and connected to by nobody. */
export const template = 'template_of_tests'

/**
 * One PostgreSQL for a whole run of tests: that of TEST_DATABASE_URL, or one that is started, named there for the tests'
 * processes, and gone with the end that this answers.
 */
export async function setup(): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL
  const postgres = given ? undefined : await TestPostgres.make()
  const server = postgres?.url ?? given ?? ''
  await makeTemplate(server)
  if (!postgres) return async () => {}
  process.env.TEST_DATABASE_URL = server
  process.env.TEST_DATABASE_OWN = 'true'
  return async () => {
    delete process.env.TEST_DATABASE_URL
    delete process.env.TEST_DATABASE_OWN
    await postgres.remove()
  }
}

/** Tests on a store in a folder are made once, where the run has its own PostgreSQL. */
export const isOnAnotherDatabase = () => process.env.TEST_DATABASE_OWN === undefined

async function makeTemplate(server: string): Promise<void> {
  const admin = new Client({ connectionString: server })
  await admin.connect()
  const { rowCount } = await admin.query('select from pg_database where datname = $1', [template])
  if (rowCount === 0) {
    await admin.query(`create database ${template}`)
    const { store } = await openStore({ databaseUrl: urlOf(server, template) }, () => Promise.resolve())
    await store.close()
    // A database that somebody is connected to is not copied.
    await admin.query(`alter database ${template} with allow_connections false`)
  }
  await admin.end()
}

/** Another database of a server. */
export const urlOf = (server: string, database: string): string =>
  Object.assign(new URL(server), { pathname: database }).href
