import { readStoreConfig } from '../config.ts'
import { upgradeStore } from '../store/upgrade/upgrade.ts'
// `npm run upgrade-store`: converts the embedded store of release 0.2.0 or older to the format of this release, see
// docs/operations.md.
import { complain, runCommand, say } from './command.ts'

const upgradeHelp = `Moves the embedded store of release 0.2.0 or older into the PostgreSQL that the service starts from this release on.

  npm run upgrade-store

It works on the store in DATA_DIR (./data unless set), which no service may be using meanwhile: stop the service, and copy the
folder as a backup. npm gets the old store's engine (PGlite) for it, into a temporary folder, and the new store is compared with the old
one, table by table, before it takes its place. It needs npm's registry, 700 MB of memory, and room for two more of the old store on
its disk. Ctrl-C ends it at any time, and nothing is changed then: run it again and it starts over.

The old store is kept in DATA_DIR/pg-0.2.0. Delete it as soon as the service runs well: it has the same personal data, and
users who are deleted from now on are not deleted from it.
`

async function upgradeOldStore(): Promise<number> {
  const { store } = readStoreConfig(process.env)
  if (!('dataDir' in store)) {
    complain(
      'DATABASE_URL: the service uses that PostgreSQL, and no store in DATA_DIR. There is nothing to upgrade.',
    )
    return 1
  }
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  try {
    const { kept, isThere } = await upgradeStore(store.dataDir, { say, signal: stop.signal })
    if (kept === undefined)
      say(
        isThere
          ? 'The store is already of this release. There is nothing to upgrade.'
          : `There is no store of an older release in ${store.dataDir}: there is nothing to upgrade.`,
      )
    else
      say(
        `The store is upgraded: start the service. The old one is kept in ${kept}. Delete it as soon as the service runs ` +
          'well: it has the same personal data, and users who are deleted from now on are not deleted from it.',
      )
    return 0
  } catch (error) {
    if (!stop.signal.aborted) throw error
    complain('Stopped. Nothing was changed. Run it again to start over.')
    return 130
  }
}

await runCommand(
  upgradeHelp,
  upgradeOldStore,
  (message) => `The store was not upgraded, and the old one is as it was. ${message}`,
)
