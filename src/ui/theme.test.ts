import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { expect, test } from 'vitest'

import { themeCss } from './theme-css.ts'

const sources = path.join(import.meta.dirname, '..')
const css = themeCss()

test('every variable that a style sheet asks for without a fallback is there', () => {
  const read = (file: string) => readFileSync(path.join(sources, file), 'utf8')
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  const own = files.filter((file) => file.endsWith('.css')).map(read)
  const imported = files
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => read(file).match(/(?<=import ')@mantine\/.*?\.css(?=')/g) ?? [])
    .map((file) => read(`../node_modules/${file}`))
  const all = [css, ...own, ...imported].join('\n')
  const asked = new Set([...all.matchAll(/var\((--(?:mantine|ds)-[\w-]+)\s*\)/g)].map(([, name]) => name))
  const there = new Set([...all.matchAll(/(--(?:mantine|ds)-[\w-]+)\s*:/g)].map(([, name]) => name))
  expect(imported.length).toBeGreaterThan(5)
  expect(asked.difference(there)).toEqual(new Set())
})

test('which fonts stand in for our own is said by the theme alone', () => {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  const naming = files
    .filter((file) => file.endsWith('.css'))
    .filter((file) => readFileSync(path.join(sources, file), 'utf8').includes('sans-serif'))
  expect(naming).toEqual([])
})

test('both colour schemes define the same', () => {
  const names = (scheme: string) =>
    [...(css.split(`="${scheme}"]{`)[1]?.split('}')[0] ?? '').matchAll(/(--[\w-]+):/g)].map(
      ([, name]) => name,
    )
  expect(names('dark').length).toBeGreaterThan(50)
  expect(names('dark').sort()).toEqual(names('light').sort())
})
