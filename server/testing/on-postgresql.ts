// `npm run test:postgresql`: repeats the service tests that need a database, on a temporary server of the oldest
// PostgreSQL installed by Debian's packages. Install 15 to test the oldest version that the service supports.
import path from 'node:path'

import { filesWithTestDatabase } from './database-tests.ts'
import { endInOrder, runTests } from './run.ts'
import { programsOfPostgres, runOrThrow, TestPostgres } from './test-postgresql.ts'

endInOrder()
const postgres = await TestPostgres.make({ programs: 'debian' })
try {
  runOrThrow([path.join(programsOfPostgres('oldest'), 'postgres'), '--version'])
  const files = process.argv.slice(2)
  await runTests(files.length > 0 ? files : filesWithTestDatabase(), {
    env: { ...process.env, TEST_DATABASE_URL: postgres.url },
  })
} finally {
  await postgres.remove()
}
