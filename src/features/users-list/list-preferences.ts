import { put, sharedStorage } from '../../auth/storage.ts'

// How somebody likes to read the list: names of columns, no data about anybody.
const storageKey = 'data-store.users-list'

export const columnNames = ['name', 'email', 'ref', 'since', 'created', 'account', 'id'] as const
export type ColumnName = (typeof columnNames)[number]

export interface ListPreferences {
  /** In the order of `columnNames`; the name is always there. */
  readonly columns: readonly ColumnName[]
  readonly density: 'compact' | 'comfortable'
}

export const defaultPreferences: ListPreferences = {
  columns: columnNames.filter((name) => name !== 'id'),
  density: 'compact',
}

/** What was kept may be from another version, or by another hand. */
export function readListPreferences(): ListPreferences {
  try {
    const { columns, density } = JSON.parse(sharedStorage?.getItem(storageKey) ?? '') as Record<
      string,
      unknown
    >
    return {
      columns: Array.isArray(columns)
        ? columnNames.filter((name) => name === 'name' || columns.includes(name))
        : defaultPreferences.columns,
      density: density === 'comfortable' ? density : 'compact',
    }
  } catch {
    return defaultPreferences
  }
}

export function storeListPreferences(preferences: ListPreferences): void {
  put(sharedStorage, storageKey, JSON.stringify(preferences))
}
