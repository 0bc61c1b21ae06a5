import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '../..')
const opens =
  /\b(?:testService|openTestDatabase|createTestDatabase|serviceProcesses)\(|\bstartTestService\((?!\{ (?:dataDir|database)\b)|\bTEST_DATABASE_URL\b/

/**
 * Lists the service's test files that use the run's PostgreSQL. These are worth running again on another PostgreSQL. The
 * rest, including tests that open a store in a folder, would only repeat themselves there.
 */
export function filesWithTestDatabase(): string[] {
  return globSync('server/**/*.test.ts', { cwd: root }).filter((file) =>
    opens.test(readFileSync(path.join(root, file), 'utf8')),
  )
}
