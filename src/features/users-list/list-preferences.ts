import { put, sharedStorage } from '../../auth/storage.ts'

// Display preferences: names of columns, entity types and keys, no personal data.
const preferencesKey = 'data-store.users-list'

export const columnNames = ['name', 'email', 'ref', 'since', 'created', 'account', 'id'] as const
export type ColumnName = (typeof columnNames)[number]

export interface ListPreferences {
  /** Columns in the order of `columnNames`; the name is always included. */
  readonly columns: readonly ColumnName[]
  /** Properties with a column of their own after the others, such as `car.plate`. */
  readonly properties: readonly string[]
  readonly density: 'compact' | 'comfortable'
}

export const defaultPreferences: ListPreferences = {
  columns: columnNames.filter((name) => name !== 'id'),
  properties: [],
  density: 'compact',
}

/** Reads the stored preferences, which may come from another version or have been edited by hand. */
export function readListPreferences(): ListPreferences {
  try {
    const kept: unknown = JSON.parse(sharedStorage?.getItem(preferencesKey) ?? '')
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
  put(sharedStorage, preferencesKey, JSON.stringify(preferences))
}

/** Returns whether a name consists of an entity type and a property key, such as `car.plate`. */
function isProperty(name: unknown): name is string {
  return typeof name === 'string' && /^[a-z][\w-]{0,63}\..{1,128}$/u.test(name)
}
