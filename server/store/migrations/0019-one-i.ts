import { type Kysely, sql } from 'kysely'

const lowest = '00000000-0000-0000-0000-000000000000'
const highest = lowest.replaceAll('0', 'f')

/**
 * An i with a combining dot, which lowercasing the capital `İ` leaves. Texts folded for comparison no longer contain
 * it.
 */
const dotted = sql`U&'i\\0307'`
const plain = (text: string) => sql`normalize(replace(${sql.ref(text)}, ${dotted}, 'i'), NFC)`

/**
 * Folds those names, refs and property texts again that are not folded as today; `atOnce` is the number of users in a
 * batch.
 */
export async function foldDottedI(db: Kysely<unknown>, atOnce = 2_000): Promise<void> {
  for (let after = lowest; after !== highest;) {
    const { rows } = await sql<{ last: string }>`
      select id as last from users where id > ${after}::uuid order by id offset ${atOnce - 1} limit 1`.execute(
      db,
    )
    const last: string = rows[0]?.last ?? highest
    await sql`
      update users set name_key = ${plain('name_key')}, ref_key = ${plain('ref_key')}
      where id > ${after}::uuid and id <= ${last}::uuid
        and (position(${dotted} in name_key) > 0 or position(${dotted} in ref_key) > 0)`.execute(db)
    await sql`
      update entities set properties = (
        select jsonb_object_agg(key, case
          when jsonb_typeof(value -> 'fold') = 'string'
            then jsonb_set(value, '{fold}', to_jsonb(normalize(replace(value ->> 'fold', ${dotted}, 'i'), NFC)))
          else value end)
        from jsonb_each(properties) as each (key, value)
      )
      where user_id > ${after}::uuid and user_id <= ${last}::uuid
        and position(${dotted} in properties::text) > 0`.execute(db)
    after = last
  }
}
