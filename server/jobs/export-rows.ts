import { type RawBuilder, sql } from 'kysely'

import { isUserColumn, type Judged, type UserColumn } from '#contract/index.ts'
import { type StoredProperty, toProperties } from '../entities/properties.ts'
import { openProperties, type PropertyAtRest } from '../entities/sealing.ts'
import { type JoinedKey, openDataKey } from '../sealing/data-keys.ts'
import type { Keyring } from '../sealing/encryption.ts'
import { type Handle, zoneless } from '../store/sql.ts'
import type { UserRow } from '../users/storage.ts'
import { type ExportTask, propertiesOf } from './export-task.ts'

/** Size of the entities that are read at once, unless one user has more. */
const batchBytes = 8 * 1024 * 1024

/** Returns as many of the users, in order, as own so much that it can be held in memory; at least one. */
export async function readableAtOnce<User extends { readonly id: string }>(
  database: Handle,
  users: readonly User[],
  type: string | undefined,
): Promise<readonly User[]> {
  const { rows } = await sql<{ user: string; bytes: number }>`
    select user_id as "user", sum(bytes)::float8 as bytes from entities
    where user_id = any(${users.map(({ id }) => id)}::uuid[]) ${ofType(type)} group by user_id`.execute(
    database,
  )
  const owned = new Map(rows.map(({ user, bytes }) => [user, bytes]))
  let bytes = 0
  const end = users.findIndex(({ id }, at) => {
    bytes += owned.get(id) ?? 0
    return at > 0 && bytes > batchBytes
  })
  return end === -1 ? users : users.slice(0, end)
}

const ofType = (type: string | undefined) => (type === undefined ? sql`` : sql`and type = ${type}`)

interface ExportedEntity extends JoinedKey {
  readonly id: string
  readonly type: string
  readonly created: string
  /** Properties by key, or in the order of the given keys, null for those that the entity lacks. */
  readonly properties: Readonly<Record<string, PropertyAtRest>> | readonly (PropertyAtRest | null)[]
  readonly sealed: Readonly<Record<string, string>>
}

/** Reads the entities of users in order: with `keys` only these properties, else all. */
async function readEntities(
  database: Handle,
  users: readonly string[],
  {
    type,
    keys,
    isFirst,
    isOpen,
  }: {
    readonly type?: string | undefined
    readonly keys?: readonly string[]
    readonly isFirst?: boolean
    /** Whether sealed values are to be opened. */
    readonly isOpen: boolean
  },
): Promise<Map<string, ExportedEntity[]>> {
  const properties: RawBuilder<unknown> = keys
    ? sql`jsonb_build_array(${sql.join(keys.map((key) => sql`properties -> ${key}::text`))})`
    : sql`properties`
  const { rows } = await sql<ExportedEntity>`
    select ${isFirst === true ? sql`distinct on (user_id)` : sql``} user_id as "user", id, type,
      ${zoneless(sql`created`)} as created, ${properties} as properties,
      ${isOpen ? sql`sealed, master, wrapped` : sql`'{}'::jsonb as sealed, null as master, null as wrapped`}
    from entities ${isOpen ? sql`left join user_keys using (user_id)` : sql``}
    where user_id = any(${users}::uuid[]) ${ofType(type)} order by user_id, id`.execute(database)
  return Map.groupBy(rows, ({ user }) => user)
}

export interface Exporting {
  readonly database: Handle
  readonly keyring: Keyring
  readonly task: ExportTask
  /** Returns the entities of a type that make a user match; undefined if all are wanted. */
  readonly matching?: ((user: string) => Promise<ReadonlySet<string>>) | undefined
}

/** Cells of a format. */
export interface CellKind<Cell> {
  readonly none: Cell
  readonly ofUser: (user: UserRow, column: UserColumn) => Cell
  readonly ofValue: (
    property: Pick<StoredProperty, 'type'> & { readonly value?: unknown },
    nowMs: number,
  ) => Cell
}

/** Returns rows of a table, and how many sensitive values were left out. Columns without properties need no entities. */
export async function readTable<Cell>(
  { database, keyring, task, matching }: Exporting,
  users: readonly UserRow[],
  { none, ofUser, ofValue }: CellKind<Cell>,
): Promise<{ readonly rows: readonly (readonly Cell[])[]; readonly withheld: number }> {
  const { columns = [], entities, sensitive } = task
  const own = propertiesOf(task)
  const read = own && {
    type: own.entity,
    keys: own.keys,
    isFirst: entities === 'first',
    isOpen: sensitive === 'open',
  }
  const owned =
    read &&
    (await readEntities(
      database,
      users.map(({ id }) => id),
      read,
    ))
  const wanted = new Map<string, ReadonlySet<string>>()
  if (matching) for (const { id } of users) wanted.set(id, await matching(id))
  const nowMs = Date.now()
  let withheld = 0
  const written = users.map((user) => {
    const found = (owned?.get(user.id) ?? []).filter(({ id }) => wanted.get(user.id)?.has(id) ?? true)
    // A user without a wanted entity still has one row.
    return (found.length > 0 ? found : [undefined]).map((entity) => {
      const cells = entity && own ? openCells(keyring, entity, own.keys, sensitive === 'open') : []
      let at = 0
      return columns.map((name) => {
        if (isUserColumn(name)) return ofUser(user, name)
        const property = cells[at++]
        if (!property) return none
        if (property.withheld) withheld += 1
        return property.withheld ? none : ofValue(property, nowMs)
      })
    })
  })
  return { rows: written.flat(), withheld }
}

type Cell = Pick<StoredProperty, 'type'> & { readonly value?: unknown; readonly withheld: boolean }

/** Returns the properties of an entity, in the order of the columns; undefined for those that it lacks. */
function openCells(
  keyring: Keyring,
  { properties, ...entity }: ExportedEntity,
  keys: readonly string[],
  isOpen: boolean,
): readonly (Cell | undefined)[] {
  const stored = properties as readonly (PropertyAtRest | null)[]
  const sealed = stored.flatMap((property, at) =>
    property?.sensitive === true ? [[keys[at] ?? '', property] as const] : [],
  )
  const opened =
    isOpen && sealed.length > 0
      ? openProperties(openDataKey(keyring, entity), { ...entity, properties: Object.fromEntries(sealed) })
      : {}
  return stored.map((property, at) => {
    if (!property) return undefined
    if (!property.sensitive) return { type: property.type, value: property.value, withheld: false }
    return { type: property.type, value: opened[keys[at] ?? '']?.value, withheld: !isOpen }
  })
}

/** Writes users as lines of JSON, with their entities if they are wanted. */
export async function writeLines(
  { database, keyring, task: { entities, sensitive } }: Exporting,
  users: readonly UserRow[],
): Promise<{ readonly text: string; readonly withheld: number }> {
  const lineOf = (line: object) => `${JSON.stringify(line)}\n`
  if (entities === undefined) return { text: users.map(lineOf).join(''), withheld: 0 }
  const owned = await readEntities(
    database,
    users.map(({ id }) => id),
    { isOpen: sensitive === 'open' },
  )
  let withheld = 0
  const written = users.map((user) => {
    const own = (owned.get(user.id) ?? []).map((entity) => {
      const properties = entity.properties as Readonly<Record<string, PropertyAtRest>>
      const hidden = Object.values(properties).filter((property) => property.sensitive).length
      const isSealed = hidden > 0 && sensitive === 'open'
      if (!isSealed) withheld += hidden
      const shown = isSealed
        ? openProperties(openDataKey(keyring, entity), { ...entity, properties })
        : properties
      const { id, type, created } = entity
      return {
        id,
        type,
        created,
        properties: toProperties(shown).map((property) =>
          property.sensitive && !isSealed ? mask(property) : property,
        ),
      }
    })
    return lineOf({ ...user, entities: own })
  })
  return { text: written.join(''), withheld }
}

const mask = ({ id, key, type, sensitive }: ReturnType<typeof toProperties>[number]) => ({
  id,
  key,
  type,
  sensitive,
  masked: true,
})

/** Returns the ids of the entities of a type that make a user match a filter, as it was judged. */
export function listMatching(judged: Judged, type: string): string[] {
  if (!judged.pass) return []
  const inside = (parts: readonly Judged[]) => parts.flatMap((part) => listMatching(part, type))
  if ('all' in judged) return inside(judged.all)
  if ('any' in judged) return inside(judged.any)
  if ('segment' in judged) return judged.is ? listMatching(judged.is, type) : []
  if ('entities' in judged && judged.entity === type)
    return judged.entities.flatMap(({ id, pass }) => (pass ? [id] : []))
  return []
}
