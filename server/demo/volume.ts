import { sql } from 'kysely'

import type { PropertyInput } from '#contract/index.ts'
import type { Database } from '../store/database.ts'
import { numberEvents } from '../events/storage.ts'
import { type Generated, inBulk, insertGenerated, newEntity, newEvent, settle, zonelessText } from './bulk.ts'
import { filled, pick, type Random, seededIds, seededRandom, whole } from './random.ts'

/** Users are created 15 seconds apart from here on: this many stay in the past. */
export const maxVolume = 10_000_000
const start = Date.UTC(2020, 0, 1)
const apartMs = 15_000
const dayMs = 86_400_000

/** One transaction each: what is there after an interruption is whole users. */
const usersPerBatch = 1000
/** The embedded store's log grows until a checkpoint, and nothing else makes one in a loop without pauses. */
const batchesPerUpkeep = 50

const givenNames = list(
  'Ana Björn Chloé Dimitra Elif Fatima Giulia Håkon Inês Jürgen Katarzyna Liam María Noémie Olena Peter Quentin Renée',
  'Søren Tomáš Ursula Veronika William Xenia Yusuf Zoë Андрій Ольга Γιώργος Μαρία',
)
const familyNames = list(
  'Andersson Bianchi Căpraru Dvořák Eriksen Fernández García Horváth Ivanova Jansen Kowalski López Müller Nowak',
  'O’Brien Papadopoulos Quispe Rossi Smith Török Ünal Virtanen Weiß Xu Yılmaz Żak Шевченко Παππάς',
)
const cities = list(
  'Berlin Brno Gdańsk Köln Leeds Lyon Málaga Malmö Milano Paris Porto Tartu Wien York Zürich',
)
const brands = list('BMW Citroën Fiat Ford Polestar Renault SEAT Škoda Toyota Volkswagen Volvo')

function list(...words: string[]): [string, ...string[]] {
  return words.join(' ').split(' ') as [string, ...string[]]
}

/**
 * Fills a store with the first so many of an endless row of users, each with one or two entities of six properties
 * and an event for every write. What is there already is left as it is, so that a load that was interrupted, or a
 * larger one, goes on where the one before ended. `progress` hears how many of them are there.
 */
export async function loadVolume(
  database: Database,
  users: number,
  options: { readonly progress?: (there: number, added: number) => void; readonly signal?: AbortSignal } = {},
): Promise<{ readonly there: number; readonly added: number }> {
  let there = 0
  let added = 0
  let batches = 0
  for (let first = 0; first < users && !options.signal?.aborted; first += usersPerBatch) {
    const indexes = Array.from(
      { length: Math.min(usersPerBatch, users - first) },
      (_, place) => first + place,
    )
    const present = await countPresent(database, indexes.map(idOf))
    there += present
    if (present < indexes.length) {
      const inserted = await inBulk(
        database,
        async (transaction) => await insertGenerated(transaction, database.keys, indexes.map(generated)),
      )
      await numberEvents(database.sql)
      there += inserted
      added += inserted
      if (++batches % batchesPerUpkeep === 0) await database.upkeep?.()
    }
    options.progress?.(there, added)
  }
  await settle(database)
  return { there, added }
}

async function countPresent(database: Database, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from users where id = any(${ids}::uuid[])`.execute(database.sql)
  return rows[0]?.count ?? 0
}

const createdOf = (index: number) => start + index * apartMs

function idOf(index: number): string {
  return seededIds(seededRandom(index))(createdOf(index))
}

function generated(index: number): Generated {
  const random = seededRandom(index)
  const makeId = seededIds(random)
  const created = createdOf(index)
  const id = makeId(created)
  const [given, family] = [pick(random, givenNames), pick(random, familyNames)]
  const entities = [newEntity(makeId, created, id, 'person', person(random))]
  if (random() < 0.5) entities.push(newEntity(makeId, created, id, 'car', car(random)))
  const changeset = makeId(created)
  return {
    user: {
      id,
      email: `user.${index}@example.org`,
      name: `${given} ${family}`,
      ref: `L-${String(index).padStart(8, '0')}`,
      created: zonelessText(created),
      since: zonelessText(created - whole(random, 0, 1500) * dayMs),
      account: random() < 0.6,
    },
    entities,
    // What each of a million writes put there can be seen in the entities.
    changesets: [],
    events: [
      newEvent(makeId, created, 'USER_CREATED', { user: id, changeset }),
      ...entities.map((entity) =>
        newEvent(makeId, created, 'DIRECT_DATA_CHANGE', { user: id, entity: entity.id, changeset }),
      ),
    ],
  }
}

function person(random: Random): PropertyInput[] {
  return [
    { key: 'birthday', type: 'DATE', value: day(start - whole(random, 18 * 365, 88 * 365) * dayMs) },
    { key: 'phone', type: 'TEXT', sensitive: true, value: filled(random, '+44 7700 900###') },
    { key: 'city', type: 'TEXT', value: pick(random, cities) },
    { key: 'loyalty_points', type: 'NUMBER', value: Math.floor(random() ** 3 * 20_000) },
    { key: 'vip', type: 'BOOLEAN', value: random() < 0.06 },
    {
      key: 'newsletter',
      type: 'PREFERENCE',
      value: {
        status: pick(random, ['GRANTED', 'GRANTED', 'DENIED', 'REVOKED']),
        statusDate: new Date(start - whole(random, 0, 1000) * dayMs).toISOString(),
      },
    },
  ]
}

function car(random: Random): PropertyInput[] {
  return [
    { key: 'brand', type: 'TEXT', value: pick(random, brands) },
    { key: 'plate', type: 'TEXT', sensitive: true, value: filled(random, '??-###-??') },
    { key: 'mileage', type: 'NUMBER', value: whole(random, 0, 250_000) },
    { key: 'first_registration', type: 'DATE', value: day(start - whole(random, 0, 5000) * dayMs) },
    { key: 'price', type: 'CURRENCY', value: { currency: 'EUR', value: `${whole(random, 150, 900)}00.00` } },
    { key: 'electric', type: 'BOOLEAN', value: random() < 0.3 },
  ]
}

const day = (msecs: number) => new Date(msecs).toISOString().slice(0, 10)
