import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

import { dataTypes, scopes } from '#contract/index.ts'
import { describeDenial } from '../auth/use-session.ts'
import { dataTypeName } from '../domain/values/data-type-name.ts'

const catalogues = path.join(import.meta.dirname, 'en')
/**
 * API terms are allowed in the texts about webhooks, because people who set up a webhook or write a receiver are
 * developers.
 */
const isForDevelopers = (file: string) => file === 'webhooks.ts'

/** Returns the lines of the catalogues with such a word in a text, each with its file. */
const linesWith = (words: RegExp, isRead: (file: string) => boolean = () => true) =>
  readdirSync(catalogues)
    .filter(isRead)
    .flatMap((file) =>
      readFileSync(path.join(catalogues, file), 'utf8')
        .split('\n')
        .filter((line) => words.test(line) && !/^\s*(?:\/\/|\/?\*)/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    )

test('no catalogue has a word of the wire', () => {
  const wire = /['"`“\s](GET|PUT|POST|PATCH|DELETE|HTTP|If-Match|ETag|[a-z]+:(read|write|manage))\b(?!.*: ')/
  expect(linesWith(wire, (file) => !isForDevelopers(file))).toEqual([])
})

test('a missing permission and each data type are named in words', () => {
  for (const scope of scopes) expect(describeDenial(scope)).toMatch(/^Your role can’t [a-z ,]+\.$/)
  for (const type of dataTypes) expect(dataTypeName(type)).not.toMatch(/[A-Z]{4}/)
  expect(dataTypeName('POINT')).toBe('POINT')
})
