import { type Kysely, sql } from 'kysely'

const lowest = '00000000-0000-0000-0000-000000000000'

interface Fields {
  readonly id: string
  readonly name: string | null
  readonly email: string | null
  readonly ref: string | null
}

/**
 * Makes users findable by parts of their names, e-mails and refs in scripts without spaces between words. Only users
 * who may have such a text are read whole and locked, `atOnce` at a time, so that no concurrent write changes it
 * meanwhile.
 */
export async function fillInnerStarts(
  db: Kysely<unknown>,
  { read = 5_000, atOnce = 200 } = {},
): Promise<void> {
  const { rows: distributed } = await sql`select 1 where to_regclass('user_identifiers') is not null`.execute(
    db,
  )
  // With distributed users, one statement can lock rows on a single machine only.
  const locked = distributed.length > 0 ? 1 : atOnce
  for (let after = lowest; ;) {
    // Each letter of these scripts takes at least three bytes in UTF-8.
    const { rows } = await sql<{ id: string; wide: boolean }>`
      select id, octet_length(concat(name, ref, email)) >= char_length(concat(name, ref, email)) + 2 as wide
      from users where id > ${after}::uuid order by id limit ${read}`.execute(db)
    const wide = rows.filter((row) => row.wide).map(({ id }) => id)
    for (let at = 0; at < wide.length; at += locked) await fill(db, wide.slice(at, at + locked))
    const last = rows.at(-1)
    if (!last || rows.length < read) return
    after = last.id
  }
}

async function fill(db: Kysely<unknown>, [first, ...others]: readonly string[]): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const those =
      others.length === 0 ? sql`id = ${first}::uuid` : sql`id = any(${[first, ...others]}::uuid[])`
    const { rows } = await sql<Fields>`
      select id, name, email, ref from users where ${those} order by id for no key update`.execute(
      transaction,
    )
    const terms = rows.flatMap(({ id, name, email, ref }) =>
      [name, email, ref].flatMap((field) => innerStarts(field ?? '').map((term) => ({ id, term }))),
    )
    if (terms.length === 0) return
    await sql`
      insert into user_terms (user_id, name, term)
      select id, false, term from unnest(${terms.map(({ id }) => id)}::uuid[], ${terms.map(({ term }) => term)}::text[])
        as row (id, term)
      on conflict do nothing`.execute(transaction)
  })
}

// Copied from the service, so that later changes there do not change what this migration did.

const maxTermLength = 100
const maxInnerStarts = 24
const letters = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}`
const unspaced = new RegExp(`[${letters}]`, 'u')
const blankBetween = new RegExp(`(?<=[${letters}]\\p{M}*) (?=[${letters}])`, 'gu')
const innerLetter = new RegExp(`(?<=[${letters}]\\p{M}*)(?!\\p{M})[${letters}]`, 'gu')

function innerStarts(field: string): string[] {
  if (!unspaced.test(field.normalize('NFKC'))) return []
  const texts = [searchText(field), searchText(field.replace(/['’‘ʼʻ`´′＇]/g, ''))]
  const terms = texts
    .map((text) => text.replace(blankBetween, ''))
    .flatMap((solid) => {
      const starts = Array.from(solid.matchAll(innerLetter), ({ index }) => cut(solid.slice(index)))
      return [cut(solid)].concat(starts.slice(0, maxInnerStarts))
    })
  return [...new Set(terms)].filter((term) => term !== '')
}

const cut = (text: string) =>
  text.length <= maxTermLength ? text : Array.from(text).slice(0, maxTermLength).join('').trimEnd()

const spelled: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
}

function searchText(value: string): string {
  const folded = value
    .normalize('NFKC')
    .normalize('NFC')
    .replaceAll('ẞ', 'SS')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
  const plain = folded
    .normalize('NFD')
    .replace(
      /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g,
      '',
    )
    .replace(/[\p{Cf}\u{fe00}-\u{fe0f}\u{10ffff}]/gu, '')
    .replace(/[ßæœøłđðþħŧı]/g, (letter) => spelled[letter] ?? letter)
    .normalize('NFC')
  return plain.replace(/[\p{P}\p{Z}\p{Cc}\p{Sm}\p{Sc}\p{Sk}ʼʻ]+/gu, ' ').trim()
}
