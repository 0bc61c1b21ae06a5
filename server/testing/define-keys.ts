import { sql } from 'kysely'

import { dataType, entityType, propertyKey } from '#contract/index.ts'
import type { Handle } from '../store/sql.ts'

/**
 * Whether every key gets a definition before a request writes it or filters by it, with all that a definition may say.
 * The tests of the API document must pass all the same, because definitions suggest.
 */
export const definesKeys = () => process.env.TEST_DEFINITIONS === 'all'

/** Defines the keys that a request names, of the entity type beside them, before the service receives it. */
export async function defineKeysOf(handle: Handle, path: string, body: string): Promise<void> {
  let content: unknown
  try {
    content = JSON.parse(body)
  } catch {
    return
  }
  const id = /\/entities\/([\da-f-]{36})$/i.exec(path)?.[1]
  const { rows } = await sql<{ type: string }>`
    select type from entities where id::text = ${id ?? ''}`.execute(handle)
  const found = [...keysIn(content, rows[0]?.type ?? 'person')].filter(
    ({ type, key }) => entityType.safeParse(type).success && propertyKey.safeParse(key).success && key !== '',
  )
  if (found.length === 0) return
  const { numAffectedRows = 0n } = await sql`
    insert into definitions (entity_type, key, definition, updated)
    select type, key, definition::json, now() at time zone 'UTC'
    from jsonb_to_recordset(${JSON.stringify(found)}::jsonb) as row (type text, key text, definition text)
    order by type, key on conflict do nothing`.execute(handle)
  if (numAffectedRows > 0n) await sql`update definitions_version set version = version + 1`.execute(handle)
}

interface NamedKey {
  readonly type: string
  readonly key: string
  readonly definition: string
}

function* keysIn(content: unknown, above: string): Generator<NamedKey> {
  if (typeof content !== 'object' || content === null) return
  const { key, entity, type } = content as Readonly<Record<string, unknown>>
  const named = typeof key === 'string' ? above : [entity, type].find((each) => typeof each === 'string')
  const own = typeof named === 'string' ? named : above
  if (typeof key === 'string')
    yield { type: own, key, definition: JSON.stringify(definitionOf(key, content)) }
  for (const each of Object.values(content)) yield* keysIn(each, own)
}

/** Returns a definition that contradicts the property in its data type where it may. Sensitivity is that of the request. */
function definitionOf(key: string, property: object): object {
  const given = 'type' in property ? dataType.safeParse(property.type).data : undefined
  return {
    label: { en: `Label of ${key}`.slice(0, 100), de: `Name von ${key}`.slice(0, 100) },
    description: { en: 'Defined by a test.' },
    type: given === 'TEXT' ? 'NUMBER' : 'TEXT',
    choices: given === 'TEXT' ? [{ value: 1 }] : [{ value: 'the only one', label: { en: 'The only one' } }],
    ...(given === 'TEXT' && { unit: 'km' }),
    ...('sensitive' in property && property.sensitive === true && { sensitive: true, mask: 'last4' }),
    group: 'Group',
    order: key.length,
    keyFact: true,
    purpose: 'Tests',
    basis: 'contract',
    recipients: 'Nobody',
    keptFor: 'P1D',
    enforce: 'on',
  }
}
