import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

import { hues, palettes } from './palettes.ts'
import { themeCss } from './theme-css.ts'

const sources = path.join(import.meta.dirname, '..')
const css = themeCss()

test('every variable that a style sheet asks for without a fallback is there', () => {
  const read = (file: string) => readFileSync(path.join(sources, file), 'utf8')
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  const own = files.filter((file) => file.endsWith('.css')).map(read)
  const imported = own
    .flatMap((sheet) => sheet.match(/(?<=@import ')@mantine\/.*?\.css(?=')/g) ?? [])
    .map((file) => read(`../node_modules/${file}`))
  const all = [css, ...own, ...imported].join('\n')
  const asked = new Set([...all.matchAll(/var\((--(?:mantine|ds)-[\w-]+)\s*\)/g)].map(([, name]) => name))
  const there = new Set([...all.matchAll(/(--(?:mantine|ds)-[\w-]+)\s*:/g)].map(([, name]) => name))
  expect(imported.length).toBeGreaterThan(5)
  expect(asked.difference(there)).toEqual(new Set())
})

test('fallback fonts are named by the theme alone', () => {
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

const pairs: readonly (readonly [words: string, grounds: readonly string[], least: number])[] = [
  ['mantine-color-text', ['mantine-color-body', 'ds-surface', 'ds-raised', 'ds-hover', 'ds-selected'], 7],
  [
    'mantine-color-dimmed',
    ['mantine-color-body', 'ds-surface', 'ds-raised', 'ds-hover', 'ds-selected', 'ds-neutral-4'],
    4.5,
  ],
  ['mantine-color-placeholder', ['mantine-color-body', 'mantine-color-default', 'ds-raised'], 4.5],
  ['mantine-color-anchor', ['mantine-color-body', 'ds-surface', 'ds-raised', 'ds-hover', 'ds-selected'], 4.5],
  ['mantine-color-error', ['mantine-color-body', 'ds-raised'], 4.5],
  ['mantine-color-success', ['mantine-color-body', 'ds-raised'], 4.5],
  ['ds-sensitive', ['mantine-color-body', 'ds-raised', 'ds-hover', 'ds-sensitive-bg'], 4.5],
  ['ds-added', ['mantine-color-body', 'ds-added-bg'], 4.5],
  ['ds-changed', ['mantine-color-body', 'ds-changed-bg'], 4.5],
  ['ds-removed', ['mantine-color-body', 'ds-removed-bg'], 4.5],
  ...['added', 'changed', 'removed', 'sensitive'].map(
    (state) => ['mantine-color-text', [`ds-${state}-bg`], 7] as const,
  ),
  ...hues.map((_, index) => [`ds-hue-${index}`, [`ds-hue-${index}-bg`], 4.5] as const),
  ['ds-accent', ['mantine-color-body', 'ds-surface', 'ds-raised', 'ds-hover'], 3],
  ['ds-neutral-9', ['mantine-color-body', 'ds-surface', 'ds-raised', 'ds-neutral-3'], 3],
]

test.each(['light', 'dark'] as const)('in %s, words and marks stand out from what they are on', (scheme) => {
  const colorOf = colors(scheme)
  const faint = pairs.flatMap(([words, grounds, least]) =>
    grounds
      .map((ground) => ({
        words,
        ground,
        ratio: contrast(colorOf(words), colorOf(ground, 'mantine-color-body')),
      }))
      .filter(({ ratio }) => ratio < least),
  )
  expect(faint).toEqual([])
})

test('buttons have words that stand out from them, at rest and pointed at', () => {
  const white = [255, 255, 255, 1] as const
  for (const scheme of ['light', 'dark'] as const)
    for (const name of Object.keys(palettes))
      for (const part of ['filled', 'filled-hover'])
        expect(
          contrast(white, colors(scheme)(`mantine-color-${name}-${part}`)),
          `${scheme} ${name} ${part}`,
        ).toBeGreaterThanOrEqual(4.5)
})

type Color = readonly [red: number, green: number, blue: number, alpha: number]

/** Returns a function for the colours of variables in a scheme. A translucent colour is blended with its background. */
function colors(scheme: 'light' | 'dark') {
  const rules = ['-color-scheme="light"]{', ':root{', `="${scheme}"]{`].map(
    (head) => css.split(head)[1]?.split('}')[0] ?? '',
  )
  const values = new Map(
    rules.flatMap((rule) =>
      [...rule.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]),
    ),
  )
  const valueOf = (name: string): string => {
    const value = values.get(name) ?? ''
    const [, other] = /^var\(--([\w-]+)\)$/.exec(value) ?? []
    return other === undefined ? value : valueOf(other)
  }
  return (name: string, below?: string): Color => {
    const color = parseColor(valueOf(name), name)
    if (color[3] === 1 || below === undefined) return color
    const ground = parseColor(valueOf(below), below)
    const mixPart = (part: 0 | 1 | 2) => color[part] * color[3] + ground[part] * (1 - color[3])
    return [mixPart(0), mixPart(1), mixPart(2), 1]
  }
}

function parseColor(value: string, name: string): Color {
  const hex = /^#([\da-f]{3}|[\da-f]{6})$/.exec(value)?.[1]
  if (hex !== undefined) {
    const pairs = hex.length === 3 ? [...hex.matchAll(/./g)].map(([one]) => one + one) : hex.match(/../g)
    const [red = 0, green = 0, blue = 0] = (pairs ?? []).map((pair) => Number.parseInt(pair, 16))
    return [red, green, blue, 1]
  }
  const [red, green, blue, alpha = 1] = /^rgba?\(/.test(value)
    ? (value.match(/[\d.]+/g) ?? []).map(Number)
    : []
  if (red === undefined || green === undefined || blue === undefined)
    throw new Error(`--${name} is no colour: ${value}`)
  return [red, green, blue, alpha]
}

/** Returns the contrast ratio of two colours by WCAG 2. */
function contrast(one: Color, other: Color): number {
  const light = ([red, green, blue]: Color) => {
    const [r = 0, g = 0, b = 0] = [red, green, blue].map((part) =>
      part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
    )
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const [dark = 0, bright = 0] = [light(one), light(other)].toSorted((a, b) => a - b)
  return (bright + 0.05) / (dark + 0.05)
}
