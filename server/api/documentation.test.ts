import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'

import {
  allOperators,
  dataType,
  errorCodes,
  features,
  operandOf,
  operatorsOf,
  type Problem,
  refusals,
  type SegmentPreview,
  userFields,
} from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'

const document = readFileSync(path.join(import.meta.dirname, '../../docs/api.md'), 'utf8')
const [, filters = '', codes = ''] = document.split(/^## (?:Filters|Error codes)$/m)

/** Returns the cells of all table rows, without the header rows. */
const rowsOf = (text: string) =>
  [...text.matchAll(/^\| (?!---|status|operator|code|kind)(.*) \|$/gm)].map(([, row = '']) =>
    row.split(' | '),
  )
const named = (cell = '') => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
const blocks = [...filters.matchAll(/^```jsonc?\n([^]*?)^```$/gm)].map(([, block = '']) => block)

test('the table of additions has every feature of the API, and no other', () => {
  const [, , additions = ''] = document.split(/^(## Additions|### Find and list users)$/m)
  const listed = [...additions.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name),
  )
  expect(listed.toSorted()).toEqual(Object.keys(features).toSorted())
})

describe('the codes of errors', () => {
  const [ofRefusals = '', ofErrors = ''] = codes.split(/^`code` of an entry/m)

  test('list every refusal, with its status', () => {
    const listed = rowsOf(ofRefusals).flatMap(([status, names]) =>
      named(names).map((name) => [name, Number(status)] as const),
    )
    expect(new Map(listed)).toEqual(new Map(Object.entries(refusals)))
    expect(listed).toHaveLength(Object.keys(refusals).length)
  })

  test('list every error at one place of a request', () => {
    expect(
      rowsOf(ofErrors)
        .flatMap(([names]) => named(names))
        .toSorted(),
    ).toEqual(errorCodes.toSorted())
  })
})

describe('the grammar of filters', () => {
  test('has every operator, with its types and its kind of value', () => {
    const listed = rowsOf(filters).flatMap(([names, types = '', value]) =>
      value === undefined
        ? []
        : [[named(names)[0], types === 'all' ? dataType.options.join(', ') : types, value]],
    )
    const known = allOperators.map((operator) => [
      operator,
      dataType.options.filter((type) => operatorsOf(type).includes(operator)).toSorted(),
      operandOf(operator),
    ])
    const rows = listed.map(([operator, types = '', value]) => [
      operator,
      types.split(', ').toSorted(),
      value,
    ])
    expect(rows).toHaveLength(known.length)
    expect(rows).toEqual(expect.arrayContaining(known))
  })

  test('has every field of a user', () => {
    const fields = rowsOf(filters).find(([kind]) => kind?.includes('"user"'))?.[1]
    expect(named(fields)).toEqual(Object.keys(userFields))
  })
})

describe('the examples of filters', () => {
  const [sample = '[]', accepted = '', refused = ''] = blocks
  const examples = (block: string) =>
    [...block.matchAll(/^(\{.*\}) +\/\/ (.+)$/gm)].map(
      ([, filter = '', said = '']) => [filter, said] as const,
    )
  const service = testService()
  let twoCars: string
  beforeAll(async () => {
    const post = async (to: string, body: unknown) => {
      return await service.create('admin', to, body)
    }
    for (const { user, entities } of JSON.parse(sample) as { user: unknown; entities: unknown[] }[]) {
      const id = await post('/users', user)
      for (const entity of entities) await post(`/users/${id}/entities`, entity)
    }
    twoCars = await post('/segments', { name: 'Two cars', filter: { entity: 'car', min: 2 } })
  })

  test('show every operator, and every line of them is one', () => {
    for (const operator of allOperators) expect(accepted).toContain(`"op": "${operator}"`)
    expect(examples(accepted)).toHaveLength(accepted.trim().split('\n').length)
    expect(examples(refused)).toHaveLength(refused.trim().split('\n').length)
  })

  test.each(examples(accepted))('%s matches %s', async (filter, said) => {
    const body = { filter: JSON.parse(filter.replace('<two cars>', twoCars)) as unknown }
    const answer = await service.call('admin', 'POST', '/segments/preview', body)
    expect(answer).toMatchObject({ status: 200 })
    const { users } = answer.body as SegmentPreview
    expect(users.map(({ name }) => name?.split(' ')[0]).join(', ') || 'nobody').toBe(said)
  })

  test.each(examples(refused))('%s is refused: %s', async (filter, said) => {
    const answer = await service.call('admin', 'POST', '/segments/preview', { filter: JSON.parse(filter) })
    expect(answer).toMatchObject({ status: 422 })
    const { errors = [] } = answer.body as Problem
    expect(errors.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([said])
  })
})
