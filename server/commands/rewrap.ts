import { formatCount } from '#contract/index.ts'
import { readStoreConfig } from '../config.ts'
import { finaliseErasures } from '../erasures/finalising.ts'
import { openDatabase } from '../sealing/database.ts'
import { MissingKeyError } from '../sealing/encryption.ts'
import { rewrapAll } from '../sealing/key-rotation.ts'
// `npm run rewrap`: the second of three steps to change ENCRYPTION_KEYS, or the only step to change the embedded
// store's own key; see docs/operations.md.
import { complain, runCommand, say } from './command.ts'

const rewrapHelp = `Wraps all data keys with the first key of ENCRYPTION_KEYS, so that the others are not needed any more. Without that
setting, with a new key of the embedded store's own, which is destroyed then: every deletion of a user is final.

  npm run rewrap

It works on the store that DATABASE_URL names, beside the service, or, without it, on the embedded one in DATA_DIR (./data
unless set): stop the service first in that case. Ctrl-C stops the command at any time; run it again to continue.
`

async function rewrapKeys(): Promise<number> {
  const { store, keys } = readStoreConfig(process.env)
  const database = await openDatabase(store, keys, { statementLimitMs: 0 })
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  try {
    const { keyring } = database.keys
    let tenth = 0
    const options = {
      signal: stop.signal,
      progress(so: number, of: number) {
        if (of === 0 || Math.floor((so / of) * 10) <= tenth) return
        tenth = Math.floor((so / of) * 10)
        say(`${formatCount(so)} of ${formatCount(of)} data keys`)
      },
    }
    const { done, damaged } = database.keys.file
      ? await finaliseErasures(database, { ...options, now: true, graceMs: 0, rewrittenBytes: Infinity })
      : await rewrapAll(database.sql, keyring, options)
    if (stop.signal.aborted) {
      say(`Stopped after ${formatCount(done)} data keys. Run it again to continue.`)
      return 130
    }
    if (damaged.length > 0) {
      complain(
        `The keys of ${formatCount(damaged.length)} users or subscriptions do not open, so they are as they were; restore them from a backup. ` +
          `The first ones: ${damaged.slice(0, 10).join(', ')}`,
      )
      return 1
    }
    const spare = keyring.ids.filter((id) => id !== keyring.current)
    say(
      `${formatCount(done)} data keys were rewrapped; all are wrapped with "${keyring.current}" now.` +
        (spare.length > 0
          ? ` Nothing stored needs ${spare.map((id) => `"${id}"`).join(', ')} any more.`
          : ''),
    )
    return 0
  } finally {
    await database.close()
  }
}

await runCommand(rewrapHelp, rewrapKeys, (message, error) =>
  error instanceof MissingKeyError
    ? `${message} Nothing was changed: add it, behind the others.`
    : `The data keys were not rewrapped: ${message}`,
)
