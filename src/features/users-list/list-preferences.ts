import { offers } from '../../api/index.ts'
import { put, sharedStorage } from '../../auth/storage.ts'

// How somebody likes to read the list: names of columns, of entity types and of keys, no data about anybody.
const storageKey = 'data-store.users-list'

export const columnNames = ['name', 'email', 'ref', 'since', 'created', 'account', 'id'] as const
export type ColumnName = (typeof columnNames)[number]

export interface ListPreferences {
  /** In the order of `columnNames`; the name is always there. */
  readonly columns: readonly ColumnName[]
  /** Properties with a column of their own after the others, as `car.plate`. */
  readonly properties: readonly string[]
  readonly density: 'compact' | 'comfortable'
}

export const defaultPreferences: ListPreferences = {
  columns: columnNames.filter((name) => name !== 'id'),
  properties: [],
  density: 'compact',
}

/** What was kept may be from another version, or by another hand. */
export function readListPreferences(): ListPreferences {
  try {
    const kept: unknown = JSON.parse(sharedStorage?.getItem(storageKey) ?? '')
    const { columns, properties, density } = kept as Record<string, unknown>
    return {
      columns: Array.isArray(columns)
        ? columnNames.filter((name) => name === 'name' || columns.includes(name))
        : defaultPreferences.columns,
      properties: Array.isArray(properties) ? properties.filter(isProperty) : [],
      density: density === 'comfortable' ? density : 'compact',
    }
  } catch {
    return defaultPreferences
  }
}

export function storeListPreferences(preferences: ListPreferences): void {
  put(sharedStorage, storageKey, JSON.stringify(preferences))
}

/** By hand: the contract's own schema would bring its library into the first page's download. */
function isProperty(name: unknown): name is string {
  return typeof name === 'string' && /^[a-z][\w-]{0,63}\..{1,128}$/u.test(name)
}

/** Those that the service can be asked for. */
export function propertiesOf({ properties }: ListPreferences): readonly string[] {
  return offers('users.columns') ? properties : []
}
