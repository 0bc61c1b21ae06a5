import { type Kysely, sql } from 'kysely'

const lowest = '00000000-0000-0000-0000-000000000000'
const highest = lowest.replaceAll('0', 'f')

/**
 * Numbers the existing entities that are not the first of their type; all were stored as the first. `atOnce` is the
 * approximate number of entities in a batch, which always includes all entities of a user.
 */
export async function countOfTypes(db: Kysely<unknown>, atOnce = 2_000): Promise<void> {
  // Skipped if users are distributed over several machines: there, all existing entities were stored with the highest
  // number.
  const { rows: distributed } = await sql`select 1 where to_regclass('user_identifiers') is not null`.execute(
    db,
  )
  for (let after: string = lowest; distributed.length === 0 && after !== highest;) {
    const { rows }: { rows: { last: string }[] } = await sql<{ last: string }>`
      with batch as materialized (
        select coalesce((
          select user_id from entities where user_id > ${after}::uuid order by user_id, id offset ${atOnce - 1} limit 1
        ), ${highest}::uuid) as last
      ),
      counted as materialized (
        select user_id, id, row_number() over (partition by user_id, type order by id) as nth
        from entities where user_id > ${after}::uuid and user_id <= (select last from batch)
      ),
      later as (
        update entities set nth_of_type = counted.nth from counted
        where entities.user_id = counted.user_id and entities.id = counted.id
          and counted.nth > 1 and entities.nth_of_type = 1
      )
      select last from batch`.execute(db)
    after = rows[0]?.last ?? highest
  }
  // Without these statistics, the planner assumes that a third of all entities have a higher number.
  await sql`analyze entities (nth_of_type)`.execute(db)
}
