import fc from 'fast-check'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import {
  asksForPresence,
  type DataType,
  dataTypes,
  emailKey,
  type Filter,
  filter as filterSchema,
  fold,
  operandOf,
  type Operator,
  operatorsOf,
  type PropertyTest,
  textKey,
} from '#contract/index.ts'
import { blindTerms } from '../../sealing/blind-index.ts'
import type { Database } from '../../sealing/database.ts'
import { sealValue } from '../../sealing/encryption.ts'
import { openTestDatabase } from '../../testing/service.ts'
import { filterSql, type StoredFilter } from '../sql/filter-sql.ts'
import { evaluate, type Subject } from './evaluate.ts'

let database: Database
let drop: () => Promise<void>

beforeAll(async () => {
  ;({ database, drop } = await openTestDatabase())
})

afterAll(async () => {
  await database.close()
  await drop()
})

const key = Buffer.alloc(32, 3)
const indexKey = () => key
const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Auckland', 'Africa/Cairo', 'Asia/Tehran']
const ids = ['0190a5d8-0000-7000-8000-000000000001', '0190a5d8-0000-7000-8000-000000000002']

// Only a few different days, so that tests match: a filter that finds nobody proves nothing.
const day = fc.constantFrom(
  '2024-02-29',
  '2024-03-01',
  '2024-03-15',
  '2023-03-15',
  '2024-12-31',
  '2022-02-28',
  '1999-10-31',
  '0001-01-01',
  '9999-12-31',
)
const time = fc.constantFrom('00:00', '09:30', '09:30:00', '09:30:30.500', '23:59:59.999')
const instant = fc
  .tuple(day, fc.constantFrom('00:00:00.000', '11:30:00.000', '21:59:59.999', '22:00:00.000', '23:30:00.000'))
  .map(([date, clock]) => `${date}T${clock}Z`)
const decimal = fc.constantFrom(
  '0',
  '-0.5',
  '1',
  '1.0',
  '12.340',
  '12.34',
  '99999999999999999999.000000000000000001',
)
const text = fc.constantFrom(
  'Volvo',
  'volvo',
  'ßtraße',
  'STRASSE',
  '50%_\\',
  'ΟΔΟΣ',
  'a',
  '',
  'İ',
  'Ana@example.org',
)

const valueOf: Record<DataType, fc.Arbitrary<unknown>> = {
  BOOLEAN: fc.boolean(),
  CURRENCY: fc.record({ currency: fc.constantFrom('EUR', 'USD'), value: decimal }),
  DATE: day,
  DATETIME: instant,
  TIME: time,
  DECIMAL: decimal,
  EMAIL: fc.constantFrom(
    'Ana@Example.org',
    'ana@example.org',
    'bo@example.org',
    'straße@ſam.example',
    'ſam@STRAßE.example',
    'SAM@xn--strae-oqa.example',
  ),
  NUMBER: fc.constantFrom(0, 5, -2.5, 1e21, 1e-7, 9_007_199_254_740_991),
  RELATIONSHIP: fc.record(
    { user: fc.constantFrom(...ids), entity: fc.constantFrom(...ids) },
    { requiredKeys: ['user'] },
  ),
  TEXT: text,
  URL: fc.constantFrom('https://a.example/X', 'https://a.example/x', 'http://b.example/'),
  PREFERENCE: fc.record(
    { status: fc.constantFrom('GRANTED', 'DENIED', 'REVOKED'), statusDate: instant, expires: instant },
    { requiredKeys: ['status', 'statusDate'] },
  ),
}

/** Values that do not fit their type: from another service, or damaged. */
const odd = fc.constantFrom<unknown>(
  null,
  5,
  'five',
  '12,3',
  '2023-02-30',
  '25:61',
  '2023-03-15T25:00:00.000Z',
  {},
  { currency: 'EUR', value: 5 },
  [],
  true,
)

const property = fc
  .constantFrom(...dataTypes)
  .chain((type) =>
    fc.oneof(
      fc.record({ type: fc.constant(type), value: valueOf[type], sealed: fc.boolean() }),
      fc.record({ type: fc.constant(type), value: odd, sealed: fc.constant(false) }),
    ),
  )

const keys = ['k', 'l', '__proto__'] as const
const entityTypes = ['car', 'pet'] as const

const subject = fc.record({
  email: fc.option(valueOf.EMAIL, { nil: null }),
  name: fc.option(
    text.filter((name) => name !== ''),
    { nil: null },
  ),
  account: fc.boolean(),
  since: instant,
  entities: fc.array(
    fc.record({
      type: fc.constantFrom(...entityTypes),
      properties: fc.dictionary(fc.constantFrom(...keys), property, { maxKeys: 3 }),
    }),
    { maxLength: 3 },
  ),
})

const span = fc.constantFrom('P0D', 'P1D', 'P15D', 'P1M', 'P1Y', 'P2Y3M', 'P52W', 'PT12H', 'P1DT1H')
const wholeDays = fc.constantFrom('P0D', 'P1D', 'P15D', 'P1M', 'P1Y', 'P52W')

function operand(type: DataType, op: Operator): fc.Arbitrary<unknown> {
  const relative = fc.oneof(
    (type === 'DATE' ? wholeDays : span).map((ago) => ({ ago })),
    (type === 'DATE' ? wholeDays : span).map((ahead) => ({ ahead })),
  )
  const value =
    type === 'DATE'
      ? fc.oneof(day, relative)
      : type === 'DATETIME'
        ? fc.oneof(instant, day, relative)
        : type === 'RELATIONSHIP'
          ? valueOf.RELATIONSHIP
          : type === 'PREFERENCE'
            ? fc.constantFrom(
                { status: 'GRANTED' },
                { status: 'DENIED', expires: '2024-03-15T00:00:00.000Z' },
              )
            : valueOf[type]
  switch (operandOf(op)) {
    case 'none':
      return fc.constant(undefined)
    case 'value':
      return value
    case 'list':
      return fc.array(value, { minLength: 1, maxLength: 3 })
    case 'range':
      return fc.tuple(value, value)
    case 'fragment':
      return fc.constantFrom('vol', 'V', '%', '\\', 'ss', 'ß', 'example', '.org', 'σ', 'i̇', 'ſam', '@straße')
    case 'duration':
      return type === 'DATE' || op === 'anniversary_within' ? wholeDays : span
  }
}

const tested = (type: DataType) =>
  fc
    .constantFrom(...operatorsOf(type))
    .chain((op) => operand(type, op).map((value) => (value === undefined ? { op } : { op, value })))

const propertyTest = fc
  .constantFrom(...dataTypes)
  .chain((type) =>
    fc
      .tuple(fc.constantFrom(...keys), tested(type), fc.boolean(), fc.constantFrom(undefined, true, false))
      .map(([key, test, orMissing, sensitive]) =>
        Object.assign(
          { key, type },
          test,
          orMissing && !asksForPresence(test.op)
            ? { orMissing }
            : sensitive !== undefined && test.op !== 'missing'
              ? { sensitive }
              : {},
        ),
      ),
  )

const userTypes = {
  email: 'EMAIL',
  name: 'TEXT',
  since: 'DATETIME',
  created: 'DATETIME',
  account: 'BOOLEAN',
} as const
const used = ['used-1', 'used-2', 'gone']

const { node } = fc.letrec<{ node: Filter }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', maxDepth: 4, withCrossShrink: true },
    fc
      .constantFrom(...(Object.keys(userTypes) as (keyof typeof userTypes)[]))
      .chain((user) => tested(userTypes[user]).map((test) => Object.assign({ user }, test))),
    fc.record(
      {
        entity: fc.constantFrom(...entityTypes),
        where: fc.array(propertyTest, { maxLength: 2 }),
        min: fc.integer({ min: 1, max: 2 }),
      },
      { requiredKeys: ['entity'] },
    ),
    fc.constantFrom(...used).map((segment) => ({ segment })),
    fc.array(tie('node'), { maxLength: 3 }).map((all) => ({ all })),
    fc.array(tie('node'), { maxLength: 3 }).map((any) => ({ any })),
    tie('node').map((not) => ({ not })),
  ),
}))

const evaluated = fc
  .record({
    filter: node,
    tz: fc.constantFrom(...zones),
    now: fc.constantFrom(
      '2024-03-15T11:30:00.000Z',
      '2024-02-28T23:30:00.000Z',
      '2023-03-01T00:30:00.000Z',
      '2024-10-31T22:00:00.000Z',
    ),
    segments: fc.tuple(node, node),
  })
  // Filters that the API would refuse, such as a reversed range, are never evaluated.
  .filter(({ filter, segments }) =>
    [filter, ...segments].every((each) => filterSchema.safeParse(each).success),
  )

// Dates equal to the evaluated moments to the millisecond, and dates that our service never stores.
const consentMoment = fc.constantFrom(
  '2024-03-14T23:59:59.999Z',
  '2024-03-15T11:29:59.999Z',
  '2024-03-15T11:30:00.000Z',
  '2024-03-15T11:30:00.001Z',
  '2024-03-16T00:00:00.000Z',
  '2024-04-15T12:00:00.000Z',
)
const consentDate = fc.oneof(
  { weight: 12, arbitrary: consentMoment },
  {
    weight: 4,
    arbitrary: fc.constantFrom<unknown>(
      null,
      '0001-01-01T00:00:00.000Z',
      '9999-12-31T23:59:59.999Z',
      '2024-03-15T11:30:00Z',
      '2024-03-15T12:30:00.000+01:00',
      '2024-03-15T11:30:00.000Z ',
      '2024-02-30T00:00:00.000Z',
      '2024-03-15',
      '',
      'soon',
      1_710_502_200_000,
      true,
      [],
      {},
    ),
  },
)
const consent = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record(
      {
        status: fc.constantFrom<unknown>('GRANTED', 'GRANTED', 'DENIED', 'REVOKED', 'granted', null, [
          'GRANTED',
        ]),
        statusDate: consentDate,
        expires: consentDate,
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: odd },
  { weight: 1, arbitrary: fc.constant(null) },
)
const consenter = fc
  .oneof(
    { weight: 4, arbitrary: fc.record({ value: consent, sealed: fc.constant(false) }) },
    { weight: 1, arbitrary: fc.record({ value: valueOf.PREFERENCE, sealed: fc.constant(true) }) },
  )
  .map(({ value, sealed }) => ({
    email: null,
    name: null,
    account: false,
    since: '2024-03-15T00:00:00.000Z',
    entities: [{ type: 'car' as const, properties: { k: { type: 'PREFERENCE' as const, value, sealed } } }],
  }))
const status = fc.constantFrom('GRANTED', 'DENIED', 'REVOKED')
const consentOperand = fc.record(
  { status, statusDate: consentMoment, expires: consentMoment },
  { requiredKeys: ['status'] },
)
const consentAsked = (op: Operator) =>
  fc.record({
    test: fc
      .tuple(consentOperandOf(op), fc.boolean())
      .map(([value, orMissing]) =>
        Object.assign(
          { key: 'k', type: 'PREFERENCE' as const, op },
          value === undefined ? {} : { value },
          orMissing && !asksForPresence(op) ? { orMissing } : {},
        ),
      ),
    now: fc.oneof(
      consentMoment,
      fc.constantFrom('2023-01-01T00:00:00.000Z', '2024-04-15T11:59:59.999Z', '2030-01-01T00:00:00.000Z'),
    ),
    tz: fc.constantFrom(...zones),
  })

function consentOperandOf(op: Operator): fc.Arbitrary<unknown> {
  const kind = operandOf(op)
  if (kind === 'none') return fc.constant(undefined)
  if (kind === 'duration') return span
  return kind === 'list' ? fc.array(consentOperand, { minLength: 1, maxLength: 3 }) : consentOperand
}

const consenting = 200
const askedOfEach = 20
const rounds = 60
const users = 25
const filters = 15

describe('the two evaluators', () => {
  test(
    `agree on ${rounds * users * filters} random pairs of a user and a filter`,
    { timeout: 300_000 },
    async () => {
      let members = 0
      await fc.assert(
        fc.asyncProperty(
          fc.array(subject, { minLength: users, maxLength: users }),
          fc.array(evaluated, { minLength: filters, maxLength: filters }),
          async (people, questions) => {
            const subjects = await store(people)
            for (const { filter, tz, now, segments } of questions) {
              const context = {
                tz,
                now: new Date(now),
                indexKey,
                segments: new Map<string, StoredFilter>([
                  ['used-1', { filter: read(segments[0]), tz: null }],
                  ['used-2', { filter: read(segments[1]), tz: 'Asia/Tokyo' }],
                ]),
              }
              const found = await membersBySql(read(filter), context)
              const judged = [...subjects]
                .filter(([, one]) => evaluate(read(filter), one, context).pass)
                .map(([id]) => id)
              members += found.length
              expect({ filter, tz, now, segments, members: judged }).toEqual({
                filter,
                tz,
                now,
                segments,
                members: found,
              })
            }
          },
        ),
        { numRuns: rounds, endOnFailure: process.env.SHRINK === undefined },
      )
      expect(members).toBeGreaterThan((rounds * users * filters) / 20)
    },
  )

  test(
    `agree on ${consenting * askedOfEach * operatorsOf('PREFERENCE').length} random pairs of a consent and a moment`,
    { timeout: 300_000 },
    async () => {
      const subjects = await store(fc.sample(consenter, consenting))
      for (const op of operatorsOf('PREFERENCE')) {
        let found = 0
        for (const { test, now, tz } of fc.sample(consentAsked(op), askedOfEach)) {
          const filter = read({ entity: 'car', where: [test] })
          const context = { tz, now: new Date(now), indexKey, segments: new Map() }
          const members = await membersBySql(filter, context)
          const judged = [...subjects]
            .filter(([, one]) => evaluate(filter, one, context).pass)
            .map(([id]) => id)
          expect({ test, tz, now, members: judged }).toEqual({ test, tz, now, members })
          found += members.length
        }
        expect([op, found > 0]).toEqual([op, true])
      }
    },
  )

  test('both take a decimal or an amount that is stored as a number for what it says', async () => {
    const [[id, subject] = [], ...others] = await store([
      {
        email: null,
        name: null,
        account: false,
        since: '2024-03-15T00:00:00.000Z',
        entities: [
          {
            type: 'car',
            properties: {
              k: { type: 'DECIMAL', value: 5, sealed: false },
              l: { type: 'CURRENCY', value: { currency: 'EUR', value: 5 }, sealed: false },
            },
          },
        ],
      },
    ])
    expect(others).toEqual([])
    const context = { tz: 'UTC', now: new Date(), indexKey, segments: new Map() }
    const tests: PropertyTest[] = [
      { key: 'k', type: 'DECIMAL', op: 'gte', value: '5' },
      { key: 'l', type: 'CURRENCY', op: 'eq', value: { currency: 'EUR', value: '5.0' } },
    ]
    for (const one of tests) {
      const filter: Filter = { entity: 'car', where: [one] }
      expect(await membersBySql(filter, context)).toEqual([id])
      expect(evaluate(filter, subject as Subject, context).pass).toBe(true)
    }
  })
})

const read = (given: Filter): Filter => filterSchema.parse(structuredClone(given))

type Person = typeof subject extends fc.Arbitrary<infer Value> ? Value : never

async function store(people: readonly Person[]): Promise<Map<string, Subject>> {
  await sql`truncate users, entities cascade`.execute(database.sql)
  const subjects = new Map<string, Subject>()
  // JSON parsing gives the objects prototypes, which fast-check leaves out.
  const plain = JSON.parse(JSON.stringify(people)) as Person[]
  for (const [index, person] of plain.entries()) {
    const id = uuidv7()
    const email = person.email === null ? null : `${index}.${person.email as string}`
    const since = person.since.slice(0, -1)
    await sql`
      insert into users (id, email, email_key, name, name_key, ref, ref_key, created, since, account)
      values (${id}::uuid, ${email}, ${email === null ? null : emailKey(email)}, ${person.name},
        ${person.name === null ? null : fold(person.name)}, null, null, ${since}::timestamp, ${since}::timestamp,
        ${person.account})`.execute(database.sql)
    const entities: Subject['entities'][number][] = []
    for (const { type, properties } of person.entities) {
      const entity = uuidv7()
      const content = Object.fromEntries(
        Object.entries(properties).map(([name, { type: kind, value, sealed }]) => [
          name,
          sealed
            ? { type: kind, sensitive: true, blind: blindTerms(key, name, kind, value) }
            : {
                type: kind,
                value,
                ...((kind === 'TEXT' || kind === 'EMAIL' || kind === 'URL') &&
                  typeof value === 'string' && { fold: textKey(kind, value) }),
              },
        ]),
      )
      const secrets = Object.fromEntries(
        Object.entries(properties).flatMap(([name, { type: kind, value, sealed }]) =>
          sealed ? [[name, sealValue(key, { user: id, entity, key: name, type: kind }, value)]] : [],
        ),
      )
      await sql`
        insert into entities (user_id, id, type, created, properties, sealed)
        values (${id}::uuid, ${entity}::uuid, ${type}, now() at time zone 'UTC', ${JSON.stringify(content)}::jsonb,
          ${JSON.stringify(secrets)}::jsonb)`.execute(database.sql)
      entities.push({ id: entity, type, properties: content, sealed: secrets })
    }
    const { name, account } = person
    subjects.set(id, { user: { email, name, ref: null, account, since, created: since }, entities })
  }
  return subjects
}

/** Finds members by SQL, and checks that range queries with and without their indexes agree. */
async function membersBySql(filter: Filter, context: Parameters<typeof filterSql>[1]): Promise<string[]> {
  const inOrder = (hasIndex: boolean) =>
    sql`array(select u.id::text from users u where ${filterSql(filter, { ...context, hasIndex: () => hasIndex })} order by u.id)`
  const { rows } = await sql<{ found: string[]; byIndex: string[] }>`
    select ${inOrder(false)} as found, ${inOrder(true)} as "byIndex"`.execute(database.sql)
  expect(rows[0]?.byIndex).toEqual(rows[0]?.found)
  return rows[0]?.found ?? []
}
