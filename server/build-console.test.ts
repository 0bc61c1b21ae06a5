import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { buildConsole, checkout, seeConsoleBuilt, sources } from './build-console.ts'
import { fastestFolder } from './testing/folder.ts'

/**
 * Stub for Vite: logs the build, writes the output that src/main.tsx describes, and meanwhile makes the changes that
 * src/meanwhile.ts describes.
 */
const vite = `
  const fs = require('node:fs')
  fs.appendFileSync('builds', process.env.NODE_ENV + ' ' + process.argv.slice(2).join(' ') + '\\n')
  console.log('words of the bundler')
  console.error('warnings of the bundler')
  const code = fs.readFileSync('src/main.tsx', 'utf8')
  if (code === 'faulty') throw new Error('Expected an expression in src/main.tsx')
  fs.rmSync('dist', { recursive: true, force: true })
  fs.mkdirSync('dist/assets', { recursive: true })
  fs.writeFileSync('dist/assets/main.js', code.repeat(1000))
  fs.writeFileSync('dist/assets/tiny.css', 'a{}')
  fs.writeFileSync('dist/config.json', JSON.stringify({ code: code.repeat(1000) }))
  fs.writeFileSync('dist/index.html', code)
  if (fs.existsSync('src/meanwhile.ts')) fs.renameSync('src/meanwhile.ts', 'src/main.tsx')
`

let root = ''
let said = ''
const inRoot = (name: string) => path.join(root, name)
const write = (name: string, content: string) => {
  mkdirSync(path.dirname(inRoot(name)), { recursive: true })
  writeFileSync(inRoot(name), content)
}
const remove = (name: string) => rmSync(inRoot(name), { recursive: true })
const builds = () =>
  existsSync(inRoot('builds')) ? readFileSync(inRoot('builds'), 'utf8').split('\n').length - 1 : 0
const install = (version: string, testing = '1.0.0') =>
  write(
    'node_modules/.package-lock.json',
    JSON.stringify({
      packages: {
        'node_modules/react': { version, integrity: `sha512-${version}` },
        'node_modules/vitest': { version: testing, dev: true },
      },
    }),
  )

beforeEach(() => {
  root = mkdtempSync(path.join(fastestFolder(), 'data-store-build-'))
  write('node_modules/vite/bin/vite.js', vite)
  install('19.0.0')
  for (const name of ['package-lock.json', 'package.json', 'tsconfig.json']) write(name, '{}')
  for (const name of [
    'index.html',
    'vite.config.ts',
    'server/build-console.ts',
    'public/icon.svg',
    'contract/a.ts',
  ])
    write(name, name)
  write('src/main.tsx', 'main')
  write('src/ui/Button.tsx', 'button')
  write('src/ui/Button.test.tsx', 'test')
  said = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said += String(text)
    return true
  })
})

afterEach(() => {
  vi.restoreAllMocks()
  rmSync(root, { recursive: true })
})

describe('the console of a second start', () => {
  test.each<readonly [string, () => void]>([
    ['nothing', () => {}],
    [
      'the time of a file',
      () => utimesSync(inRoot('src/main.tsx'), new Date(), new Date(Date.now() + 60_000)),
    ],
    ['a test', () => write('src/ui/Button.test.tsx', 'another test')],
    ['a package that only tests use', () => install('19.0.0', '2.0.0')],
    [
      'which packages are wanted, and none was installed',
      () => write('package-lock.json', '{"packages":{}}'),
    ],
    ['the service', () => write('server/service.ts', 'service')],
  ])('is the one that is there where %s has changed', async (_what, change) => {
    await seeConsoleBuilt(root)
    change()
    said = ''
    await seeConsoleBuilt(root)
    expect(builds()).toBe(1)
    expect(said).toBe('')
  })

  test.each<readonly [string, () => void]>([
    ['a source, by as many letters', () => write('src/ui/Button.tsx', 'buttom')],
    [
      'a source, to an older time',
      () => {
        write('src/ui/Button.tsx', 'old')
        utimesSync(inRoot('src/ui/Button.tsx'), new Date(0), new Date(0))
      },
    ],
    ['a source that has come', () => write('src/ui/Link.tsx', 'link')],
    ['a source that has gone', () => remove('src/ui/Button.tsx')],
    [
      'the name of a source',
      () => {
        remove('src/ui/Button.tsx')
        write('src/ui/Buttom.tsx', 'button')
      },
    ],
    ['the contract', () => write('contract/a.ts', 'b')],
    ['what is public', () => write('public/.well-known/x', 'x')],
    ['the page', () => write('index.html', 'page')],
    ['the version', () => write('package.json', '{"version":"2.0.0"}')],
    ['how it is built', () => write('vite.config.ts', 'other')],
    ['how it is compressed', () => write('server/build-console.ts', 'other')],
    ['what TypeScript is told', () => write('tsconfig.json', '{ }')],
    ['an installed package', () => install('19.0.1')],
    ['what was built', () => write('dist/config.json', '{}')],
    ['a built file that has gone', () => remove('dist/assets/main.js.br')],
    ['all of it, which has gone', () => remove('dist')],
  ])('is another one where this has changed: %s', async (_what, change) => {
    await seeConsoleBuilt(root)
    change()
    await seeConsoleBuilt(root)
    expect(builds()).toBe(2)
    await seeConsoleBuilt(root)
    expect(builds()).toBe(2)
  })

  test('is another one where npm left no list of what it installed, and the lock file has changed', async () => {
    remove('node_modules/.package-lock.json')
    write('package-lock.json', '{"packages":{}}')
    await seeConsoleBuilt(root)
    await seeConsoleBuilt(root)
    expect(builds()).toBe(1)
    write('package-lock.json', '{"packages":{"node_modules/react":{"version":"19.0.0"}}}')
    await seeConsoleBuilt(root)
    expect(builds()).toBe(2)
  })
})

test('the console imports nothing that is not known as a source', () => {
  const files = globSync('{contract,src}/**/*.{ts,tsx,css}', { cwd: checkout })
  const targets = files
    .filter((file) => !/\.test\.|(^|\/)testing/.test(file))
    .flatMap((file) => {
      const code = readFileSync(path.join(checkout, file), 'utf8')
      return Array.from(
        code.matchAll(/(?:from|import|url)\s*\(?\s*['"](\.[^'"]+|#[^'"]+)/g),
        ([, target = '']) =>
          target.startsWith('#') ? target.slice(1) : path.join(path.dirname(file), target),
      )
    })
  expect(targets).toContain('package.json')
  const known = (target: string) => sources.some((name) => target === name || target.startsWith(`${name}/`))
  expect(targets.filter((target) => !known(target))).toEqual([])
})

test('sources that change while they are built are built again', async () => {
  write('src/meanwhile.ts', 'changed')
  await seeConsoleBuilt(root)
  expect(builds()).toBe(2)
  expect(readFileSync(inRoot('dist/index.html'), 'utf8')).toBe('changed')
})

test('a build says one sentence, and is one for production whatever the service is for', async () => {
  vi.stubEnv('NODE_ENV', 'development')
  await buildConsole(root)
  vi.unstubAllEnvs()
  expect(said).toBe('Building the console …\n')
  expect(readFileSync(inRoot('builds'), 'utf8')).toBe('production build --logLevel warn\n')
})

test('a build that fails says why at each start, until its sources are those of what is there', async () => {
  await seeConsoleBuilt(root)
  write('src/main.tsx', 'faulty')
  for (let start = 0; start < 2; start++)
    await expect(seeConsoleBuilt(root)).rejects.toThrow(
      /^The console could not be built:\n[^]*Expected an expression in src\/main\.tsx/,
    )
  expect(builds()).toBe(3)
  write('src/main.tsx', 'main')
  await seeConsoleBuilt(root)
  expect(builds()).toBe(3)
})

test('the build says what to do if it cannot write', async () => {
  write('dist', 'no folder')
  await expect(seeConsoleBuilt(root)).rejects.toThrow(
    'Run npm run build in a copy of this folder that can be written to, and put the dist/ that it makes here.',
  )
  expect(builds()).toBe(0)
})

test('scripts, styles and pictures lie there compressed once more where that is shorter, settings do not', async () => {
  await buildConsole(root)
  const main = 'main'.repeat(1000)
  expect(String(gunzipSync(readFileSync(inRoot('dist/assets/main.js.gz'))))).toBe(main)
  expect(String(brotliDecompressSync(readFileSync(inRoot('dist/assets/main.js.br'))))).toBe(main)
  for (const name of ['assets/tiny.css.gz', 'assets/tiny.css.br', 'config.json.gz', 'index.html.br'])
    expect(existsSync(inRoot(`dist/${name}`))).toBe(false)
})
