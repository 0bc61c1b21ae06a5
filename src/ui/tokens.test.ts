import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { expect, test } from 'vitest'

// The provider writes no variables (the page's policy forbids its <style>), so tokens.css must have every one that
// the imported styles of Mantine ask for, in both schemes.

const sources = path.join(import.meta.dirname, '..')
const styles = path.join(sources, '../node_modules/@mantine')
const tokens = readFileSync(path.join(import.meta.dirname, 'tokens.css'), 'utf8')

const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
const code = files
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => readFileSync(path.join(sources, file), 'utf8'))
const own = files.filter((file) => file.endsWith('.css')).map((file) => path.join(sources, file))
const imported = [...code.join('\n').matchAll(/import '@mantine\/(.*?\.css)'/g)].map(([, file]) =>
  path.join(styles, file ?? ''),
)

function scheme(name: string): string {
  return tokens.slice(tokens.indexOf(`'${name}']`)).split('\n}')[0] ?? ''
}

function defined(css: string): Set<string> {
  return new Set([...css.matchAll(/^\s+(--(?:mantine|ds)-[\w-]+):/gm)].map(([, name]) => name ?? ''))
}

test('every variable that a style asks for without a fallback is there', () => {
  const there = defined(tokens)
  const missing = [...new Set(imported), ...own].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/var\((--(?:mantine|ds)-[\w-]+)\s*\)/g)]
      .map(([, name]) => name ?? '')
      .filter((name) => !there.has(name))
      .map((name) => `${path.basename(file)}: ${name}`),
  )
  expect(imported.length).toBeGreaterThan(5)
  expect([...new Set(missing)]).toEqual([])
})

test('both schemes define the same', () => {
  expect([...defined(scheme('dark'))].sort()).toEqual([...defined(scheme('light'))].sort())
})
