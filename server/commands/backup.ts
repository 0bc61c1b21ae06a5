// `npm run backup`: makes a restorable copy of the embedded store, see docs/operations.md.
import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'

import { readStoreConfig } from '../config.ts'
import { readKeyFiles } from '../sealing/key-file.ts'
import { backUpStore, makeWhole, write } from '../store/backup.ts'
import { complain, runCommand, say } from './command.ts'

const backupHelp = `Copies the embedded store in DATA_DIR (./data unless set), whether or not a service is using it.

  npm run backup -- --to <folder> [--keys-to <folder>]

  --to       the backup: a new folder, best on another disk
  --keys-to  the store's own master key: a new folder, apart from the backup; anyone with both can read everything
  --help     this text

To use a backup as DATA_DIR, copy the key into it. Ctrl-C stops the command and leaves no files behind.
`

class BackupRefusal extends Error {}

async function backUpTo({ to, 'keys-to': keysTo }: { to?: string; 'keys-to'?: string }): Promise<number> {
  const { store } = readStoreConfig(process.env)
  if ('databaseUrl' in store)
    throw new BackupRefusal(
      'The store is on a server (DATABASE_URL): back it up by pg_dump, as docs/operations.md says.',
    )
  if (to === undefined) throw new BackupRefusal(`Say where to, by --to.\n\n${backupHelp}`)
  if (!existsSync(path.join(store.dataDir, 'postgresql')))
    throw new BackupRefusal(
      `There is no embedded store in ${path.resolve(store.dataDir)}: set DATA_DIR to its folder.`,
    )
  const dataDir = realpathSync(store.dataDir)
  const backup = resolveTarget(to, { notIn: [dataDir] })
  const keys = keysTo === undefined ? undefined : resolveTarget(keysTo, { notIn: [dataDir, backup] })
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const started = performance.now()
  const copyKeys = async () => {
    if (keys === undefined) return
    const files = readKeyFiles(dataDir)
    if (files.size === 0) throw new BackupRefusal(`There is no key in ${dataDir} to copy: ${keysOfSettings}`)
    await makeWhole(keys, async (folder) => {
      for (const [name, text] of files) await write(path.join(folder, name), text)
    })
  }
  try {
    const bytes = await makeWhole(backup, (folder) =>
      backUpStore(dataDir, folder, { signal: stop.signal, copied: copyKeys }),
    )
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    say(`${(bytes / 2 ** 20).toFixed(0)} MB were copied to ${backup} in ${seconds} s.`)
  } catch (error) {
    if (!stop.signal.aborted) throw error
    complain('Stopped. There is no backup.')
    return 130
  }
  if (keys !== undefined) say(`Its master key was copied to ${keys}.`)
  else if (readKeyFiles(dataDir).size > 0)
    say(
      `Its master key is not in it: what is sensitive opens with ${path.join(dataDir, 'encryption-key')} of this moment ` +
        'alone, which the service replaces. Name a place for a copy of it by --keys-to.',
    )
  else say(`No master key is in it: ${keysOfSettings}`)
  return 0
}

const keysOfSettings = 'keep a copy of ENCRYPTION_KEYS as the service has it.'

/** Returns the path of a folder to create, with symbolic links resolved. */
function resolveTarget(given: string, { notIn }: { notIn: readonly string[] }): string {
  const wanted = path.resolve(given)
  const parent = path.dirname(wanted)
  if (!existsSync(parent)) throw new BackupRefusal(`${parent} is not there: make it, or mount its disk.`)
  const place = path.join(realpathSync(parent), path.basename(wanted))
  for (const folder of notIn)
    if (`${place}${path.sep}`.startsWith(`${folder}${path.sep}`))
      throw new BackupRefusal(`${place} lies in ${folder}: name a place apart from it.`)
  return place
}

await runCommand(
  backupHelp,
  backUpTo,
  (message, error) => (error instanceof BackupRefusal ? message : `There is no backup: ${message}`),
  ['to', 'keys-to'],
)
