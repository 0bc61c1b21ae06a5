// `npm run test:postgresql`: those of the service's tests that reach SQL once more, on the oldest PostgreSQL that is installed by
// Debian's packages: where that is 15, on the oldest that the service supports. Made for them and thrown away afterwards.
import path from 'node:path'

import { programsOfPostgres, runOrThrow, TestPostgres } from '../store/testing/test-postgresql.ts'
import { endInOrder, runTests } from './run.ts'
import { filesWithTestDatabase } from './database-tests.ts'

endInOrder()
const postgres = await TestPostgres.make({ programs: 'debian' })
try {
  runOrThrow([path.join(programsOfPostgres('oldest'), 'postgres'), '--version'])
  const asked = process.argv.slice(2)
  await runTests(asked.length > 0 ? asked : filesWithTestDatabase(), {
    env: { ...process.env, TEST_DATABASE_URL: postgres.url },
  })
} finally {
  await postgres.remove()
}
