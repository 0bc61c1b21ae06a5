import { parseArgs } from 'node:util'

import { formatCount } from '#contract/index.ts'
import { readStoreConfig } from '../config.ts'
import { loadVolume, maxVolume } from '../demo/volume.ts'
import { openDatabase } from '../sealing/database.ts'
import { SettingsError } from '../sealing/master-keys.ts'

const loadHelp = `Fills the configured store with users, entities, properties and events. The same number gives the same data.

  npm run load -- --users <number>

  --users  how many users there shall be, up to ${formatCount(maxVolume)}
  --help   this text

It fills the store that DATABASE_URL names or, without it, the embedded one in DATA_DIR (./data unless set), which no
service may be using meanwhile. Nothing that is there is changed. Ctrl-C ends it at any time: run it again, with the
same number or a larger one, and it goes on where it stopped.
`

class LoadRefusal extends Error {}

async function loadUsers(): Promise<number> {
  const users = readLoadArguments(process.argv.slice(2))
  if (users === 'help') {
    process.stdout.write(loadHelp)
    return 0
  }
  const { store, keys } = readStoreConfig(process.env)
  // No statement limit: maintenance of a large store takes long.
  const database = await openDatabase(store, keys, { statementLimitMs: 0 })
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  try {
    const started = performance.now()
    const line = progressLine(users, started)
    const { there, added } = await loadVolume(database, users, {
      progress: (...so) => line.show(...so),
      signal: stop.signal,
    })
    line.end()
    if (stop.signal.aborted && there < users) {
      console.log(
        `Stopped at ${formatCount(there)} of ${formatCount(users)} users. Each of them is complete. Run it again to continue.`,
      )
      return 130
    }
    const seconds = (performance.now() - started) / 1000
    const rate = added > 0 ? `, ${formatCount(Math.round(added / seconds))} a second` : ''
    console.log(`${formatCount(there)} users are there, ${formatCount(added)} of them new${rate}.`)
    if (there < users)
      console.log(`${formatCount(users - there)} were left out: their e-mail or ref is taken by others.`)
    if (added > 0) {
      console.log('Tidying up (vacuum, analyze) …')
      await database.pool.query(
        'vacuum (analyze) users, user_counts, user_terms, entities, event_inbox, events',
      )
    }
    return 0
  } finally {
    await database.close()
  }
}

function readLoadArguments(args: readonly string[]): number | 'help' {
  // npm removes the "--"; a shell that runs this file directly does not.
  const given = args.filter((argument) => argument !== '--')
  let values
  try {
    ;({ values } = parseArgs({
      args: given,
      options: { users: { type: 'string' }, help: { type: 'boolean' } },
    }))
  } catch (error) {
    throw new LoadRefusal(`${error instanceof Error ? error.message : ''}\n\n${loadHelp}`)
  }
  if (values.help) return 'help'
  if (values.users === undefined) throw new LoadRefusal(`Say how many users.\n\n${loadHelp}`)
  const users = /^\d+$/.test(values.users) ? Number(values.users) : 0
  if (users < 1 || users > maxVolume)
    throw new LoadRefusal(`--users ${values.users}: give a whole number from 1 to ${formatCount(maxVolume)}.`)
  return users
}

/** Prints progress: on a terminal, one line that is overwritten; elsewhere, a line for every 10 %. */
function progressLine(users: number, started: number) {
  const terminal = process.stdout.isTTY
  let tenth = 0
  return {
    show(there: number, added: number) {
      const rate = added / ((performance.now() - started) / 1000)
      const left =
        rate > 0
          ? `, ${formatCount(Math.round(rate))} a second, ${duration((users - there) / rate)} left`
          : ''
      const text = `${formatCount(there)} of ${formatCount(users)} users${left}`
      if (terminal) process.stdout.write(`\r${text}\u001b[K`)
      else if (Math.floor((there / users) * 10) > tenth) {
        tenth = Math.floor((there / users) * 10)
        console.log(text)
      }
    },
    end() {
      if (terminal) process.stdout.write('\n')
    },
  }
}

function duration(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`
}

try {
  process.exitCode = await loadUsers()
} catch (error) {
  const message = error instanceof Error ? error.message : 'unknown error'
  const text =
    error instanceof LoadRefusal
      ? message
      : error instanceof SettingsError
        ? `The settings are not usable:\n${message}`
        : `The store was not filled: ${message}`
  process.stderr.write(`${text.trimEnd()}\n`)
  process.exitCode = 1
}
