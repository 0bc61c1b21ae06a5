// `npm run distribute`: from one machine to several, see docs/operations.md.
import { readStoreConfig } from './config.ts'
import { SettingsError } from './sealing/master-keys.ts'
import { canSpread, distribute } from './store/distribute.ts'
import { isSpread } from './store/spread.ts'
import { openStore } from './store/store.ts'

const help = `Spreads the users of the store that DATABASE_URL names, with all that is theirs, over the machines of its Citus. An empty
store is spread by the service when it starts; this is for one that has users.

  npm run distribute

Stop the service first, and make a backup. It happens as a whole or, where it fails, not at all.
`

async function main(): Promise<number> {
  // npm takes the "--" away, a shell that calls this file does not.
  const argument = process.argv.slice(2).find((each) => each !== '--')
  if (argument !== undefined) {
    if (argument === '--help') say(help)
    else complain(`There is nothing to say to it: "${argument}".\n\n${help}`)
    return argument === '--help' ? 0 : 1
  }
  const { store: settings } = readStoreConfig(process.env)
  if (!('databaseUrl' in settings)) {
    complain('DATABASE_URL: the embedded store is on one machine. Name the coordinator of a Citus.')
    return 1
  }
  const { store } = await openStore(settings, () => Promise.resolve(), { statementLimitMs: 0 })
  try {
    if (isSpread(store.sql)) {
      say('The users of this store are spread already.')
      return 0
    }
    if (!(await canSpread(store.sql))) {
      complain(
        'This database has no extension "citus": create it on all machines and add them to the coordinator, as its manual says.',
      )
      return 1
    }
    await distribute(store.sql)
    say('The users of this store are spread over its machines. Start the service.')
    return 0
  } finally {
    await store.close()
  }
}

const say = (line: string) => process.stdout.write(`${line}\n`)
const complain = (line: string) => process.stderr.write(`${line}\n`)

try {
  process.exitCode = await main()
} catch (error) {
  const message = error instanceof Error ? error.message : 'unknown error'
  complain(
    error instanceof SettingsError
      ? `The settings are not usable:\n${message}`
      : `The users were not spread, and nothing was changed: ${message}`,
  )
  process.exitCode = 1
}
