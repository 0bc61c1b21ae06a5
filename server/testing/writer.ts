// A process for tests to kill. Opens the store of a folder, reports its contents, then writes until it is killed.
// Prints one line per message on stdout: `found` with JSON, `wrote` with the ref of a user whose transaction is
// committed, `failed` with the error of a transaction that was not, `told` with the name of an error that the store
// reports. An error that keeps the store from opening goes to stderr.
import { writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import { openStore, type Store } from '../store/store.ts'

export interface StoreContents {
  refs: string[]
  usersWithoutEvent: number
  eventsWithoutUser: number
  counted: number
}

let next = 0

if (import.meta.main) {
  // The compile cache saves the next writers half a second. It is flushed now because a kill leaves no time for it.
  flushCompileCache()
  const [dataDir = '', name = '', writers = '0'] = process.argv.slice(2)
  try {
    const failed = (error: Error) => writeLine(`told ${error.name}`)
    const { store } = await openStore({ dataDir }, () => Promise.resolve(), { failed })
    writeLine(`found ${JSON.stringify(await look(store))}`)
    await Promise.all(Array.from({ length: Number(writers) }, () => write(store, name)))
  } catch (error) {
    writeSync(2, `${(error as Error).message}\n`)
    process.exit(1)
  }
}

async function write(store: Store, name: string): Promise<never> {
  for (;;) {
    const ref = `${name}-${next++}`
    try {
      await insert(store, ref)
      writeLine(`wrote ${ref}`)
    } catch (error) {
      const { code, syscall, message, stack } = error as NodeJS.ErrnoException
      writeLine(`failed ${JSON.stringify({ code, syscall, message, stack })}`)
      await setTimeout(10)
    }
  }
}

async function insert(store: Store, ref: string): Promise<void> {
  const id = uuidv7()
  const now = new Date().toISOString().slice(0, -1)
  await store.sql.transaction().execute(async (transaction) => {
    await sql`
      insert into users (id, ref, created, since) values (${id}, ${ref}, ${now}, ${now})`.execute(transaction)
    await sql`
      insert into event_inbox (id, eventtime, type, properties)
      values (${uuidv7()}, ${now}, 'USER_CREATED', ${JSON.stringify({ user: id })})`.execute(transaction)
  })
}

export async function look(store: Store): Promise<StoreContents> {
  const { rows } = await sql<StoreContents>`
    select
      (select coalesce(jsonb_agg(ref), '[]') from users) as refs,
      (select count(*) from users where id not in (
        select (properties ->> 'user')::uuid from event_inbox)) as "usersWithoutEvent",
      (select count(*) from event_inbox where (properties ->> 'user')::uuid not in (
        select id from users)) as "eventsWithoutUser",
      (select sum(users)::int8 from user_counts) as counted`.execute(store.sql)
  const [found] = rows
  if (!found) throw new Error('Nothing was found.')
  return found
}

// Writes synchronously, so that a line written before a kill is not lost.
function writeLine(line: string): void {
  writeSync(1, `${line}\n`)
}
