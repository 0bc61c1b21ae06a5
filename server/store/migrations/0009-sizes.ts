import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // What an entity counts for under the limits of entities and users: of each property its key, its value as JSON text
  // and 128 bytes. A sealed value counts in steps of 64 bytes, which say little of its length: base64 of 29 bytes more.
  await sql`
    create function entity_bytes(properties jsonb, sealed jsonb) returns integer
    language sql immutable parallel safe
    return (
      coalesce((
        select sum(128 + octet_length(key) + coalesce(octet_length((property -> 'value')::text), 0))
        from jsonb_each(properties) as properties (key, property)
      ), 0) + coalesce((
        select sum((octet_length(value) * 3 / 4 + 34) / 64 * 64) from jsonb_each_text(sealed)
      ), 0)
    )::integer`.execute(db)
  // Computed by the database, whichever way a row gets in: sums of it read no values.
  await sql`
    alter table entities
      add column bytes integer not null generated always as (entity_bytes(properties, sealed)) stored`.execute(
    db,
  )

  // The keys in `changes`, and those of them that were sensitive before or after: a history of large values is looked
  // through without reading them.
  await sql`
    alter table changesets
      add column keys jsonb not null generated always as (jsonb_path_query_array(changes, '$[*].key')) stored,
      add column sensitive_keys jsonb not null generated always as (jsonb_path_query_array(changes,
        '$[*] ? (@.sensitive == true || @.sensitiveBefore == true).key')) stored`.execute(db)
  // The tables were written anew: an engine knows nothing of them until it has looked.
  const { rows } = await sql`select from users limit 1`.execute(db)
  if (rows.length > 0) await sql`analyze entities, changesets`.execute(db)
}
