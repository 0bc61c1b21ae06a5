import { type Kysely, sql } from 'kysely'

import { termsOf, valueTermsOf } from './0030-search-terms.ts'

// Letters, signs and phone numbers that searches have come to take for others since migration 0030. They are written as
// that one knows them, so that its rules make the terms. There is the reason of each: entities/spelling/, users/terms.ts.

const letters = new Map(
  [
    ['ぁぃぅぇぉっゃゅょゎゕゖ', 'あいうえおつやゆよわかけ'],
    ['ァィゥェォッャュョヮヵヶ', 'アイウエオツヤユヨワカケ'],
    ['ｧｨｩｪｫｯｬｭｮ', 'ｱｲｳｴｵﾂﾔﾕﾖ'],
    ['ŋəɛɔɓɗƙƴŊƏƐƆƁƊƘƳ', 'neeobdkyneeobdky'],
    ['ۆ寳׳״', "و宝''"],
  ].flatMap(([from = '', to = '']) => Array.from(from, (letter, at) => [letter, to[at] ?? letter] as const)),
)

function writeText(text: string): string {
  const plain = text
    .normalize('NFD')
    .replace(/[\u093c\u0a3c\u0abc]/g, '')
    .replace(/([\u3041-\u3096\u30a1-\u30fa])(\u3099?)[ゝヽ]/g, '$1$2$1')
    .replace(/(?<=\p{Script=Hebrew})"(?=\p{Script=Hebrew})/gu, "'")
  return Array.from(plain, (letter) => letters.get(letter) ?? letter)
    .join('')
    .normalize('NFC')
}

const writePhone = (text: string) =>
  text
    .replace(/\p{Cf}/gu, '')
    .replace(/(?<=\d)ー(?=\d)/g, '-')
    .replace(/\[(\d+)\]/g, '($1)')
    .replace(/[、•]|\s{2,}|\s+[+\p{Pd}]\s+|\s+bzw\.?\s+/gu, '; ')
    .trim()
    .replace(/^\((\+|00)(\d{1,3})\)/, '$1$2 ')
    .replace(/^\++\s*/, '+')
    .replace(/^(0\d+)\.(\d+)$/, '$1 $2')
    .replace(
      /^(?:tel(?:ephone|efon|éfono|efono|éphone)?|phone|ph|mobile?|mobil|handy|cell|fax|call|gsm|whatsapp|тел|моб|電話|电话)[.:]*\s*(?=[+(\d])/iu,
      '',
    )

/** The letters above, signs that repeat a kana, letters with a nukta, and signs within words of Hebrew. */
const concerned = `[${[...letters.keys()].join('')}ゝヽゞヾ\u093c\u0a3c\u0abc\u0929\u0931\u0934]|[\u05d0-\u05ea]"[\u05d0-\u05ea]`
/** Numbers behind a word or in brackets, with direction marks, with one full stop, or several in one text. */
const concernedPhone = `^[^0-9]*[^0-9+( ]|\\[|^\\((\\+|00)|^\\+[+ ]|^0[0-9]+\\.[0-9]+$|  | [-+\u2013\u2014] | bzw|[、•ー\u200e\u200f\u202a-\u202e\u2066-\u2069]`

interface Row {
  readonly id: string
  readonly name: string | null
  readonly email: string | null
  readonly ref: string | null
}

interface Property {
  readonly user: string
  /** Id of the entity. */
  readonly id: string
  readonly key: string
  readonly type: string
  readonly value: string
}

/** Adds the terms by which users are found now, and removes none: processes of before search by theirs. */
export async function addLetters(db: Kysely<unknown>, { read = 5_000 } = {}): Promise<void> {
  const { rows: distributed } = await sql`select 1 where to_regclass('user_identifiers') is not null`.execute(
    db,
  )
  // With distributed users, one statement can lock rows on a single machine only.
  const atOnce = distributed.length > 0 ? 1 : 200
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const { rows } = await sql<{ id: string; concerned: boolean }>`
      select id, concat(name, ' ', ref, ' ', email) ~* ${concerned} or exists (
        select 1 from entities e cross join lateral jsonb_each(e.properties) as each (key, value)
        where e.user_id = u.id and ${isConcernedValue}
      ) as concerned
      from users u where id > ${after}::uuid order by id limit ${read}`.execute(db)
    const ids = rows.filter((row) => row.concerned).map(({ id }) => id)
    for (let at = 0; at < ids.length; at += atOnce) await addTerms(db, ids.slice(at, at + atOnce))
    const last = rows.at(-1)
    if (!last || rows.length < read) return
    after = last.id
  }
}

const isConcernedValue = sql<boolean>`(
  jsonb_typeof(value -> 'fold') = 'string' and value ->> 'type' in ('TEXT', 'EMAIL')
  and char_length(value ->> 'value') <= 64 and (value ->> 'value' ~* ${concerned} or (
    char_length(regexp_replace(value ->> 'value', '[^0-9]', '', 'g')) >= 7
    and value ->> 'value' ~ ${concernedPhone})))`

async function addTerms(db: Kysely<unknown>, ids: readonly string[]): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const are = ids.length === 1 ? sql`= ${ids[0]}::uuid` : sql`= any(${ids}::uuid[])`
    // Neither the users nor their entities change meanwhile.
    const { rows } = await sql<Row>`
      select id, name, email, ref from users where id ${are} order by id for update`.execute(transaction)
    const write = (text: string | null) => (text === null ? null : writeText(text))
    const terms = rows.flatMap(({ id, name, email, ref }) =>
      termsOf({ name: write(name), email: write(email), ref: write(ref) }).map(({ name: isName, term }) => ({
        id,
        isName,
        term,
      })),
    )
    // A name has one place in the order of names.
    await sql`update user_terms set name = false where user_id ${are} and name`.execute(transaction)
    await sql`
      insert into user_terms (user_id, name, term)
      select * from unnest(${terms.map(({ id }) => id)}::uuid[], ${terms.map(({ isName }) => isName)}::boolean[],
        ${terms.map(({ term }) => term)}::text[]) as row (user_id, name, term)
      on conflict on constraint user_terms_pkey do update set name = excluded.name
        where user_terms.name <> excluded.name`.execute(transaction)
    const { rows: properties } = await sql<Property>`
      select user_id as "user", e.id, key, value ->> 'type' as type, value ->> 'value' as value
      from entities e cross join lateral jsonb_each(e.properties) as each (key, value)
      where user_id ${are} and ${isConcernedValue}`.execute(transaction)
    const values = properties.flatMap(({ user, id, key, type, value }) => {
      const written = writeText(value)
      const found = [written, writePhone(written)].flatMap((text) => valueTermsOf({ key, type, value: text }))
      return [...new Set(found)].map((term) => ({ user, id, key, term }))
    })
    await sql`
      insert into value_terms (user_id, entity_id, key, term)
      select * from unnest(${values.map(({ user }) => user)}::uuid[], ${values.map(({ id }) => id)}::uuid[],
        ${values.map(({ key }) => key)}::text[], ${values.map(({ term }) => term)}::text[])
        as row (user_id, entity_id, key, term)
      on conflict on constraint value_terms_pkey do nothing`.execute(transaction)
  })
}
