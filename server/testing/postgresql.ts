import { Client } from 'pg'

import { openStore } from '../store/store.ts'
import { TestPostgres } from './test-postgresql.ts'

/** Name of the template that test databases are copied from: migrated, empty, and closed to connections. */
export const template = 'template_of_tests'

/**
 * Provides one PostgreSQL for a whole test run: the one TEST_DATABASE_URL names, or a new one that is then named there
 * for the test processes. Returns the teardown, which removes a new one.
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

/** Whether the run uses a given PostgreSQL. Tests of a store in a folder run only when the run has its own. */
export const isOnAnotherDatabase = () => process.env.TEST_DATABASE_OWN === undefined

async function makeTemplate(server: string): Promise<void> {
  const admin = new Client({ connectionString: server })
  await admin.connect()
  const { rowCount } = await admin.query('select from pg_database where datname = $1', [template])
  if (rowCount === 0) {
    await admin.query(`create database ${template}`)
    const { store } = await openStore({ databaseUrl: urlOf(server, template) }, () => Promise.resolve())
    await store.close()
    // PostgreSQL does not copy a database that someone is connected to.
    await admin.query(`alter database ${template} with allow_connections false`)
  }
  await admin.end()
}

/** Returns the URL of another database on the same server. */
export const urlOf = (server: string, database: string): string =>
  Object.assign(new URL(server), { pathname: database }).href
