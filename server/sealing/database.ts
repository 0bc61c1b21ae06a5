import type { Handle } from '../store/sql.ts'
import {
  joinStore,
  openStore,
  type Store,
  type StoreOptions,
  type StorePlace,
  type StoreSettings,
} from '../store/store.ts'
import { readStoreKeys, type StoreKeys } from './data-keys.ts'
import { Keyring } from './encryption.ts'
import { KeyFile } from './key-file.ts'
import { missingMasters } from './key-rotation.ts'
import type { MasterKeys } from './master-keys.ts'
import { deriveSecrets, readSecrets, type Secrets } from './secrets.ts'

/** The store, with the keys to the values sealed in it. */
export interface Database extends Store {
  keys: OpenedKeys
}

interface OpenedKeys extends StoreKeys {
  readonly secrets: Secrets
  /** Present only if the store has a master key of its own. */
  readonly file?: KeyFile
  /** Whether digests of what identified a deleted user are kept with the deletion. */
  readonly keepsDigests: boolean
}

interface DatabaseOptions extends StoreOptions {
  readonly erasureDigests?: 'kept' | 'none' | undefined
}

/**
 * Opens the store and its keys, or throws with a message for the operator. Without given master keys, a data folder
 * uses its own. They are not read before the folder is locked, because the process that holds the lock may be replacing
 * them.
 */
export async function openDatabase(
  settings: StoreSettings,
  masterKeys: MasterKeys | undefined,
  options: DatabaseOptions = {},
): Promise<Database> {
  const file = 'dataDir' in settings && !masterKeys ? new KeyFile(settings.dataDir) : undefined
  const { store, prepared: keys } = await openStore(
    settings,
    (handle) => openKeys(handle, masterKeys, file),
    options,
  )
  return Object.assign(store, { keys: { ...keys, keepsDigests: options.erasureDigests !== 'none' } })
}

/** Place and master keys of a database, for a thread of the same process that joins it. */
export interface DatabasePlace {
  readonly store: StorePlace
  readonly masters: MasterKeys
  /** Folder of a store that has a master key of its own. */
  readonly keyFolder: string | undefined
  readonly keepsDigests: boolean
}

/** Returns the place of an opened database, with its master keys as they are now. */
export function placeOf({ place, keys }: Database): DatabasePlace {
  const { keyring, file, keepsDigests } = keys
  return { store: place, masters: keyring.masters, keyFolder: file?.folder, keepsDigests }
}

/** Joins a database that another thread of this process has opened. */
export async function joinDatabase(
  { store: place, masters, keyFolder, keepsDigests }: DatabasePlace,
  options: Parameters<typeof joinStore>[1],
): Promise<Database> {
  const store = joinStore(place, options)
  const file = keyFolder === undefined ? undefined : new KeyFile(keyFolder)
  const keys = await openKeys(store.sql, masters, file)
  return Object.assign(store, { keys: { ...keys, keepsDigests } })
}

async function openKeys(
  handle: Handle,
  given: MasterKeys | undefined,
  file: KeyFile | undefined,
): Promise<Omit<OpenedKeys, 'keepsDigests'>> {
  const masters = given ?? file?.read()
  if (!masters) throw new Error('This store needs master keys.')
  const keyring = new Keyring(masters)
  const keys = await readStoreKeys(handle, keyring)
  const [missing] = file ? await missingMasters(handle, keyring) : []
  if (missing !== undefined)
    throw new Error(
      `The master key "${missing}" of this store is not in DATA_DIR/encryption-key. Nothing is lost as long as a copy of ` +
        'that file exists: put it back, and start again.',
    )
  const secrets = await readSecrets(handle, keyring, deriveSecrets(masters[0]))
  return { ...keys, secrets, ...(file && { file }) }
}
