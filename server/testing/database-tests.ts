import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '../..')
const opens =
  /\b(?:testService|openTestDatabase|createTestDatabase|serviceProcesses)\(|\bstartTestService\((?!\{ (?:dataDir|database)\b)|\bTEST_DATABASE_URL\b/

/**
 * The service's test files that reach the run's PostgreSQL, by themselves or by a helper that they import: those to run
 * again on another one. The others, also those that open a store in a folder, would do there what they have done already.
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

/** Helpers are called testing….ts or stand in a folder `testing`; those of the service itself name what others open. */
function helpersOf(file: string, text: string): string[] {
  return [...text.matchAll(/from '([^']*\/testing(?:[\w-]*|\/[\w-]+)\.ts)'/g)]
    .map(([, name = '']) =>
      name.startsWith('#server/') ? path.join(root, name.slice(1)) : path.join(path.dirname(file), name),
    )
    .filter((helper) => path.dirname(helper) !== import.meta.dirname && existsSync(helper))
}
