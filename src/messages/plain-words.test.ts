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

test('no catalogue has a word of the wire', () => {
  const wire = /['"`“\s](GET|PUT|POST|PATCH|DELETE|HTTP|If-Match|ETag|[a-z]+:(read|write|manage))\b(?!.*: ')/
  const found = readdirSync(catalogues)
    .filter((file) => !isForDevelopers(file))
    .flatMap((file) =>
      readFileSync(path.join(catalogues, file), 'utf8')
        .split('\n')
        .filter((line) => wire.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    )
  expect(found).toEqual([])
})

test('a missing permission and each data type are named in words', () => {
  for (const scope of scopes) expect(describeDenial(scope)).toMatch(/^Your role can’t [a-z ,]+\.$/)
  for (const type of dataTypes) expect(dataTypeName(type)).not.toMatch(/[A-Z]{4}/)
  expect(dataTypeName('POINT')).toBe('POINT')
})
