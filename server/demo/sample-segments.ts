import {
  type DataType,
  type Filter,
  type Operator,
  segmentWrite,
  type SegmentWrite,
} from '#contract/index.ts'

interface SampleSegment {
  readonly name: string
  readonly description?: string
  readonly tz?: string
  /** Builds the filter. `idOf` returns the id of an earlier segment in the list, by name. */
  readonly filter: (idOf: (name: string) => string) => Filter
}

type Test = readonly [key: string, type: DataType, op: Operator, value: unknown]

/** Filter for users who own an entity that meets all of the tests. */
const has = (entity: string, ...tests: readonly Test[]): Filter => ({
  entity,
  where: tests.map(([key, type, op, value]) => ({ key, type, op, value })),
})

const segments: readonly SampleSegment[] = [
  {
    name: 'Account holders',
    description: 'Accepted their invitation.',
    filter: () => ({ user: 'account', op: 'eq', value: true }),
  },
  {
    name: 'Granted newsletter',
    description: 'Said yes, has not taken it back, and can be written to.',
    filter: () => ({
      all: [
        has('person', ['newsletter', 'PREFERENCE', 'eq', { status: 'GRANTED' }]),
        { user: 'email', op: 'exists' },
      ],
    }),
  },
  {
    name: 'No e-mail address',
    description: 'Nobody can invite them: ask for an address at the next contact.',
    filter: () => ({ user: 'email', op: 'missing' }),
  },
  {
    name: 'Volvo or Polestar drivers',
    filter: () => has('car', ['brand', 'TEXT', 'in', ['Volvo', 'Polestar']]),
  },
  {
    name: 'Inspection due',
    description:
      'A car of three years or more whose last inspection is two years old, or was never recorded.',
    tz: 'Europe/Berlin',
    filter: () => ({
      entity: 'car',
      where: [
        { key: 'first_registration', type: 'DATE', op: 'before', value: { ago: 'P3Y' } },
        { key: 'inspected_at', type: 'DATETIME', op: 'older_than', value: 'P2Y', orMissing: true },
      ],
    }),
  },
  {
    name: 'Invite to inspection by newsletter',
    description: 'Inspection due, and we may write to them.',
    filter: (idOf) => ({
      all: [{ segment: idOf('Inspection due') }, { segment: idOf('Granted newsletter') }],
    }),
  },
  {
    name: 'Two cars or more',
    filter: () => ({ entity: 'car', min: 2 }),
  },
  {
    name: 'Expensive to run',
    description: 'A combustion engine of 3 litres or more, or above 200,000 kilometres.',
    filter: () => ({
      any: [
        has('car', ['engine_litres', 'DECIMAL', 'gte', '3.0'], ['electric', 'BOOLEAN', 'eq', false]),
        has('car', ['mileage', 'NUMBER', 'gt', 200_000]),
      ],
    }),
  },
  {
    name: 'Electric above 50,000 euros',
    filter: () =>
      has(
        'car',
        ['electric', 'BOOLEAN', 'eq', true],
        ['price', 'CURRENCY', 'gte', { currency: 'EUR', value: '50000' }],
      ),
  },
  {
    name: 'Birthday within a week',
    tz: 'Europe/Berlin',
    filter: () => has('person', ['birthday', 'DATE', 'anniversary_within', 'P7D']),
  },
  {
    name: 'Lapsed in Lyon',
    description: 'With us for four years, without an account, and no recent car.',
    tz: 'Europe/Paris',
    filter: () => ({
      all: [
        has('address', ['city', 'TEXT', 'eq', 'Lyon']),
        { user: 'since', op: 'older_than', value: 'P4Y' },
        {
          not: {
            any: [
              { user: 'account', op: 'eq', value: true },
              has('car', ['first_registration', 'DATE', 'within_last', 'P2Y']),
            ],
          },
        },
      ],
    }),
  },
  {
    name: 'VIPs to win for an account',
    filter: (idOf) => ({
      all: [
        {
          any: [
            has('person', ['vip', 'BOOLEAN', 'eq', true]),
            has('person', ['loyalty_points', 'NUMBER', 'between', [12_000, 20_000]]),
          ],
        },
        { not: { segment: idOf('Account holders') } },
      ],
    }),
  },
  {
    name: 'Early deliveries on the continent',
    filter: () =>
      has(
        'address',
        ['delivery_window', 'TIME', 'before', '09:00'],
        ['country', 'TEXT', 'not_in', ['United Kingdom', 'Japan']],
      ),
  },
  {
    name: 'Created in the last 30 days',
    filter: () => ({ user: 'created', op: 'within_last', value: 'P30D' }),
  },
  {
    name: 'With us for ten years',
    description: 'Nobody yet.',
    filter: () => ({ user: 'since', op: 'older_than', value: 'P10Y' }),
  },
]

interface Stamp {
  readonly id: string
  readonly created: string
}

/** Returns the sample segments as a POST would store them. Calls `stamp` once for each, in order. */
export function sampleSegments(stamp: (index: number) => Stamp): (SegmentWrite & Stamp)[] {
  const ids = new Map<string, string>()
  return segments.map(({ filter, ...segment }, index) => {
    const written = segmentWrite.parse(
      Object.assign(segment, { filter: filter((name) => sampleSegmentId(ids, name)) }),
    )
    const stamped = stamp(index)
    ids.set(segment.name, stamped.id)
    return Object.assign(written, stamped)
  })
}

function sampleSegmentId(ids: ReadonlyMap<string, string>, name: string): string {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`No sample segment "${name}" stands above the one that names it.`)
  return id
}
