// `npm run test:postgresql`: the service's tests once more, on a PostgreSQL made for them and thrown away afterwards.
import { runOrThrow, TestPostgres } from './store/test-postgresql.ts'

const postgres = new TestPostgres(54_331)
try {
  postgres.start()
  try {
    const vitest = ['node', 'node_modules/vitest/vitest.mjs', 'run', '--project', 'server']
    runOrThrow([...vitest, ...process.argv.slice(2)], {
      env: { ...process.env, TEST_DATABASE_URL: postgres.url },
    })
  } finally {
    postgres.stop()
  }
} finally {
  postgres.remove()
}
