import { readStoreConfig } from '../config.ts'
import { canDistribute, distribute } from '../store/distribute.ts'
import { isDistributed } from '../store/distributed.ts'
import { openStore } from '../store/store.ts'
// `npm run distribute`: moves a store from one machine to several, see docs/operations.md.
import { complain, runCommand, say } from './command.ts'

const distributeHelp = `Distributes the users of the store that DATABASE_URL names, with all that is theirs, over the machines of its Citus. An empty
store is distributed by the service when it starts; this is for one that has users.

  npm run distribute

Stop the service first, and make a backup. It happens as a whole or, where it fails, not at all.
`

async function distributeUsers(): Promise<number> {
  const { store: settings } = readStoreConfig(process.env)
  if (!('databaseUrl' in settings)) {
    complain('DATABASE_URL: the embedded store is on one machine. Name the coordinator of a Citus.')
    return 1
  }
  const { store } = await openStore(settings, () => Promise.resolve(), { statementLimitMs: 0 })
  try {
    if (isDistributed(store.sql)) {
      say('The users of this store are distributed already.')
      return 0
    }
    if (!(await canDistribute(store.sql))) {
      complain(
        'This database has no extension "citus": create it on all machines and add them to the coordinator, as its manual says.',
      )
      return 1
    }
    await distribute(store.sql)
    say('The users of this store are distributed over its machines. Start the service.')
    return 0
  } finally {
    await store.close()
  }
}

await runCommand(
  distributeHelp,
  distributeUsers,
  (message) => `The users were not distributed, and nothing was changed: ${message}`,
)
