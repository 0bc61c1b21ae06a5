import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const console = path.join(import.meta.dirname, '..')
const core = path.join(console, '../node_modules/@mantine/core/styles')
const read = (file: string) => readFileSync(file, 'utf8')
const sheet = read(path.join(import.meta.dirname, 'mantine.css'))
const names = [...sheet.matchAll(/core\/styles\/([\w-]+)\.layer\.css/g)].map(([, name = '']) => name)
const sources = globSync('**/*.{ts,tsx}', { cwd: console }).map((file) => read(path.join(console, file)))

const used = sources
  .flatMap((source) => [...source.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)])
  .flatMap(([, list = '']) => list.split(','))
  .map((name) => name.trim().split(' as ')[0] ?? '')

test('each component of Mantine that the console uses has its style sheet in mantine.css', () => {
  const styled = [...new Set(used)].filter((name) => name && existsSync(path.join(core, `${name}.layer.css`)))
  expect(styled.length).toBeGreaterThan(20)
  expect(styled.filter((name) => !names.includes(name))).toEqual([])
})

test("style sheets of Mantine's components come in Mantine's own order", () => {
  const whole = read(path.join(core, '../styles.css'))
  const places = names.map((name) =>
    whole.indexOf(
      read(path.join(core, `${name}.css`))
        .trim()
        .slice(0, 200),
    ),
  )
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test("mantine.css is the one place that asks for Mantine's style sheets", () => {
  expect(sources.filter((source) => /^import '@mantine\/[a-z]+\/styles/m.test(source))).toEqual([])
})

// docs/decisions/0014: the page's policy refuses a <style> that a script writes, and the page then stays blank.
test('no component or prop of Mantine is used that writes a style sheet of its own', () => {
  const writing = new Set(['AppShell', 'Grid', 'SimpleGrid', 'Container', 'InlineStyles'])
  expect(used.filter((name) => writing.has(name))).toEqual([])
  expect(
    sources.flatMap((source) => source.match(/\b(?:visibleFrom|hiddenFrom)=|=\{\{ base: /g) ?? []),
  ).toEqual([])
})
