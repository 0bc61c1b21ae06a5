// The process that durability.test.ts kills: opens the folder, tells what it finds, then writes until it is killed.
// One line per message on stdout: `found <JSON>`, then the ref of each user once its transaction is committed.
import { writeSync } from 'node:fs'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { openStore, type Store } from './store.ts'

export interface Found {
  refs: string[]
  usersWithoutEvent: number
  eventsWithoutUser: number
  counted: number
}

const [dataDir = '', round = ''] = process.argv.slice(2)
const { store: database } = await openStore({ dataDir }, () => Promise.resolve())
say(`found ${JSON.stringify(await look(database))}`)
let next = 0
await Promise.all(Array.from({ length: 4 }, write))

async function write() {
  for (;;) {
    const ref = `${round}-${next++}`
    const id = uuidv7()
    const now = new Date().toISOString().slice(0, -1)
    await database.sql.transaction().execute(async (transaction) => {
      await sql`
        insert into users (id, ref, created, since) values (${id}, ${ref}, ${now}, ${now})`.execute(
        transaction,
      )
      await sql`
        insert into event_inbox (id, eventtime, type, properties)
        values (${uuidv7()}, ${now}, 'USER_CREATED', ${JSON.stringify({ user: id })})`.execute(transaction)
    })
    say(ref)
  }
}

async function look(database: Store) {
  const { rows } = await sql<Found>`
    select
      (select coalesce(jsonb_agg(ref), '[]') from users) as refs,
      (select count(*) from users where not exists (
        select 1 from event_inbox where (properties ->> 'user')::uuid = users.id)) as "usersWithoutEvent",
      (select count(*) from event_inbox where not exists (
        select 1 from users where id = (properties ->> 'user')::uuid)) as "eventsWithoutUser",
      (select sum(users)::int8 from user_counts) as counted`.execute(database.sql)
  return rows[0]
}

// synchronous, so that what was said before a kill has been said
function say(line: string) {
  writeSync(1, `${line}\n`)
}
