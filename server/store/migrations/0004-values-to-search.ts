import { type Kysely, sql } from 'kysely'

/** Copied from the service, so that later changes there do not change what this migration did. */
const maxLength = 64
const minTerm = 3
const maxStarts = 4

interface Valued {
  readonly type: string
  readonly sensitive: boolean
  readonly value?: unknown
}

interface EntityRow {
  readonly user: string
  readonly id: string
  readonly properties: Readonly<Record<string, Valued>>
}

/** Entities read at a time, up to 1 MiB each. */
const entitiesAtOnce = 100

/** Makes users findable by the values of all existing entities. */
export async function fillValueTerms(db: Kysely<unknown>): Promise<void> {
  const first = '00000000-0000-0000-0000-000000000000'
  for (let after: Pick<EntityRow, 'user' | 'id'> | undefined = { user: first, id: first }; after;) {
    const { rows }: { rows: EntityRow[] } = await sql<EntityRow>`
      select user_id as user, id, properties from entities
      where (user_id, id) > (${after.user}::uuid, ${after.id}::uuid)
      order by user_id, id limit ${entitiesAtOnce}`.execute(db)
    const terms = rows.flatMap(({ user, id, properties }) =>
      Object.entries(properties).flatMap(([key, property]) =>
        Array.from(termsOf(property), (term) => ({ user, id, key, term })),
      ),
    )
    await sql`
      insert into value_terms (user_id, entity_id, key, term)
      select * from unnest(${terms.map(({ user }) => user)}::uuid[], ${terms.map(({ id }) => id)}::uuid[],
        ${terms.map(({ key }) => key)}::text[], ${terms.map(({ term }) => term)}::text[])`.execute(db)
    after = rows.length < entitiesAtOnce ? undefined : rows.at(-1)
  }
  // No other process would analyze the table before the first search.
  await sql`analyze value_terms`.execute(db)
}

function termsOf({ type, sensitive, value }: Valued): Set<string> {
  if (sensitive) return new Set()
  if (type === 'NUMBER')
    return new Set(
      Number.isSafeInteger(value) && Number(value) >= 10 ** (minTerm - 1) ? [`#${String(value)}`] : [],
    )
  if (typeof value !== 'string' || value.length > maxLength) return new Set()
  const isSought = type === 'EMAIL' || (type === 'TEXT' && /\d/.test(value.normalize('NFKC')))
  return isSought ? startsOf(value) : new Set()
}

function startsOf(value: string): Set<string> {
  const whole = compact(value)
  const number = whole.replace(/^0+/, '')
  const isInternational = /^\s*(\+|00)/.test(value)
  const nationals = isInternational
    ? [1, 2, 3].map((code) => number.slice(code)).filter((rest) => rest.length >= 5)
    : []
  const starts = /^\d+$/.test(whole)
    ? [whole, number, ...nationals]
    : value
        .split(/[^\p{L}\p{M}\p{Nd}]+/u)
        .map((_, at, groups) => compact(groups.slice(at).join('')))
        .filter((start) => start === whole || /\d/.test(start))
        .slice(0, maxStarts)
  return new Set(starts.filter((start) => start.length >= minTerm))
}

function compact(text: string): string {
  return text
    .normalize('NFKC')
    .normalize('NFC')
    .replaceAll('ẞ', 'SS')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFD')
    .replace(/[^\p{L}\p{Nd}]/gu, '')
}
