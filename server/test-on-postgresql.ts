// `npm run test:postgresql`: those of the service's tests that open a database once more, on a PostgreSQL made for them and thrown away afterwards.
import { openStore } from './store/store.ts'
import { TestPostgres } from './store/test-postgresql.ts'
import { endInOrder, runTests } from './test-run.ts'
import { filesWithTestDatabase } from './testing-files.ts'

endInOrder()
const postgres = new TestPostgres(await TestPostgres.freePort())
try {
  postgres.start()
  try {
    // Migrated once, for all databases that the tests make there.
    const databaseUrl = new URL('template1', postgres.url).href
    await (await openStore({ databaseUrl }, () => Promise.resolve())).store.close()
    const asked = process.argv.slice(2)
    await runTests(asked.length > 0 ? asked : filesWithTestDatabase(), {
      env: { ...process.env, TEST_DATABASE_URL: postgres.url },
    })
  } finally {
    postgres.stop()
  }
} finally {
  postgres.remove()
}
