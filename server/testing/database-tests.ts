import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '../..')
const opens =
  /\b(?:testService|openTestDatabase|createTestDatabase|serviceProcesses)\(|\bstartTestService\((?!\{ (?:dataDir|database)\b)|\bTEST_DATABASE_URL\b/

/**
 * Lists the service's test files that use the run's PostgreSQL, directly or through a helper they import. These are
 * worth running again on another PostgreSQL. The rest, including tests that open a store in a folder, would only
 * repeat themselves there.
 */
export function filesWithTestDatabase(): string[] {
  const known = new Map<string, boolean>()
  const reaches = (file: string): boolean => {
    const before = known.get(file)
    if (before !== undefined) return before
    known.set(file, false)
    const text = readFileSync(file, 'utf8')
    const found = opens.test(text) || helpersOf(file, text).some(reaches)
    known.set(file, found)
    return found
  }
  return globSync('server/**/*.test.ts', { cwd: root }).filter((file) => reaches(path.join(root, file)))
}

/**
 * Helpers are named testing….ts or lie in a folder `testing`. Those of `server/testing` are excluded: they mention
 * functions that only their callers use to open a database.
 */
function helpersOf(file: string, text: string): string[] {
  return [...text.matchAll(/from '([^']*\/testing(?:[\w-]*|\/[\w-]+)\.ts)'/g)]
    .map(([, name = '']) =>
      name.startsWith('#server/') ? path.join(root, name.slice(1)) : path.join(path.dirname(file), name),
    )
    .filter((helper) => path.dirname(helper) !== import.meta.dirname && existsSync(helper))
}
