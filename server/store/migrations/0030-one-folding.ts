import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'

import { type Fields, termsOf, type Value, valueTermsOf } from './0030-search-terms.ts'

const lowest = '00000000-0000-0000-0000-000000000000'

interface Batch {
  /** Users whose texts are looked at together. */
  readonly read?: number
  /** Users who are locked and changed together. */
  readonly atOnce?: number
}

/**
 * Makes users findable as letters, blanks, codes and phone numbers are compared now. Only users who may have such a
 * text are locked, a few at a time. Terms are added and none removed: processes of the previous release still search by
 * the old ones, which no text that is typed today leads to. They go when the user is next changed.
 */
export async function foldForSearch(
  db: Kysely<unknown>,
  { read = 5_000, atOnce = 200 }: Batch = {},
): Promise<void> {
  const { rows: distributed } = await sql`select 1 where to_regclass('user_identifiers') is not null`.execute(
    db,
  )
  // With distributed users, one statement can lock rows on a single machine only.
  const locked = distributed.length > 0 ? 1 : atOnce
  for (let after = lowest; ;) {
    const { rows } = await sql<{ id: string; concerned: boolean }>`
      select id, ${isConcerned} or exists (
        select 1 from entities e cross join lateral jsonb_each(e.properties) as each (key, value)
        where e.user_id = u.id and ${isConcernedValue}
      ) as concerned
      from users u where id > ${after}::uuid order by id limit ${read}`.execute(db)
    const ids = rows.filter(({ concerned }) => concerned).map(({ id }) => id)
    for (let at = 0; at < ids.length; at += locked) await foldUsers(db, ids.slice(at, at + locked))
    const last = rows.at(-1)
    if (!last || rows.length < read) return
    after = last.id
  }
}

/** Letters beyond ASCII, signs, and letters that stand alone. */
const isConcerned = sql<boolean>`(
  octet_length(concat(name, ref, email)) > char_length(concat(name, ref, email))
  or ref ~ '[^A-Za-z0-9]' or name ~ '[^A-Za-z0-9 ]' or name ~ '(^| )[A-Za-z] [A-Za-z]( |$)')`

const text = sql<string>`(value ->> 'value')`
/** Texts beyond ASCII, and those of which more than the digits has to be read. */
const isConcernedValue = sql<boolean>`(jsonb_typeof(value -> 'fold') = 'string' and (
  octet_length(${text}) > char_length(${text})
  or value ->> 'type' = 'TEXT' and char_length(${text}) <= 64
    and char_length(regexp_replace(${text}, '[^0-9]', '', 'g')) >= 7
    and ${text} !~ '^ *([+]|00)[1-9][0-9 .-]*$' and ${text} !~ '^0[1-9][0-9 .-]{0,18}$'
    and ${text} !~ '^[1-9][0-9]{6,9}$'))`

/** Blanks that have become the space. */
const blanks = sql`U&'\\00a0\\1680\\2000\\2001\\2002\\2003\\2004\\2005\\2006\\2007\\2008\\2009\\200a\\202f\\205f\\3000'`
const withSpaces = (folded: RawBuilder<unknown>) =>
  sql`translate(${folded}, ${blanks}, repeat(' ', char_length(${blanks})))`

async function foldUsers(db: Kysely<unknown>, ids: readonly string[]): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const are = (column: RawBuilder<unknown>) =>
      ids.length === 1 ? sql`${column} = ${ids[0]}::uuid` : sql`${column} = any(${ids}::uuid[])`
    // Neither the users nor their entities change meanwhile.
    const { rows: users } = await sql<Fields & { id: string }>`
      select id, name, email, ref from users where ${are(sql`id`)} order by id for update`.execute(
      transaction,
    )
    await sql`
      update users set name_key = ${withSpaces(sql`name_key`)}, ref_key = ${withSpaces(sql`ref_key`)}
      where ${are(sql`id`)} and (name_key <> ${withSpaces(sql`name_key`)} or ref_key <> ${withSpaces(sql`ref_key`)})`.execute(
      transaction,
    )
    await sql`
      update entities set properties = (
        select jsonb_object_agg(key, case when jsonb_typeof(value -> 'fold') = 'string'
          then jsonb_set(value, '{fold}', to_jsonb(${withSpaces(sql`value ->> 'fold'`)})) else value end)
        from jsonb_each(properties) as each (key, value))
      where ${are(sql`user_id`)} and properties::text <> ${withSpaces(sql`properties::text`)}`.execute(
      transaction,
    )
    await addTerms(
      transaction,
      users.flatMap((user) => termsOf(user).map(({ name, term }) => ({ user: user.id, name, term }))),
      are,
    )
    const { rows: entities } = await sql<{ user: string; id: string; values: readonly Value[] | null }>`
      select user_id as "user", id, (
        select jsonb_agg(jsonb_build_object('key', key, 'type', value ->> 'type', 'value', ${text}))
        from jsonb_each(properties) as each (key, value)
        where ${isConcernedValue} and value ->> 'type' in ('TEXT', 'EMAIL')
      ) as values
      from entities where ${are(sql`user_id`)}`.execute(transaction)
    await addValueTerms(
      transaction,
      entities.flatMap(({ user, id, values }) =>
        (values ?? []).flatMap((value) =>
          [...new Set(valueTermsOf(value))].map((term) => ({ user, id, key: value.key, term })),
        ),
      ),
    )
  })
}

async function addTerms(
  transaction: Transaction<unknown>,
  terms: readonly { readonly user: string; readonly name: boolean; readonly term: string }[],
  are: (column: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<void> {
  // A name has one place in the order of names.
  await sql`update user_terms set name = false where ${are(sql`user_id`)} and name`.execute(transaction)
  await sql`
    insert into user_terms (user_id, name, term)
    select * from unnest(${terms.map(({ user }) => user)}::uuid[], ${terms.map(({ name }) => name)}::boolean[],
      ${terms.map(({ term }) => term)}::text[]) as row (user_id, name, term)
    on conflict on constraint user_terms_pkey do update set name = excluded.name
      where user_terms.name <> excluded.name`.execute(transaction)
}

async function addValueTerms(
  transaction: Transaction<unknown>,
  terms: readonly {
    readonly user: string
    readonly id: string
    readonly key: string
    readonly term: string
  }[],
): Promise<void> {
  if (terms.length === 0) return
  await sql`
    insert into value_terms (user_id, entity_id, key, term)
    select * from unnest(${terms.map(({ user }) => user)}::uuid[], ${terms.map(({ id }) => id)}::uuid[],
      ${terms.map(({ key }) => key)}::text[], ${terms.map(({ term }) => term)}::text[])
      as row (user_id, entity_id, key, term)
    on conflict on constraint value_terms_pkey do nothing`.execute(transaction)
}
