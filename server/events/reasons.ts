import type { Event } from '#contract/index.ts'
import type { Caller } from '../http/auth/caller.ts'
import { openDataKey, type StoreKeys } from '../sealing/data-keys.ts'
import type { Database } from '../sealing/database.ts'
import type { Transaction } from '../store/sql.ts'
import { openValue, type SealedPlace, sealValue } from '../sealing/encryption.ts'
import { entitiesIn } from './named-entities.ts'
import { insertReasons, type ReasonRow, reasonsById } from './storage.ts'

/**
 * Keeps why somebody did something, under the id of the event or the changeset that tells of it. What people type there is
 * about a person: so the reason is sealed under the key of that user, and goes with the user. The user's row is locked
 * against deletion by then.
 */
export async function keepReason(
  transaction: Transaction,
  dataKey: Buffer,
  given: { readonly user: string; readonly id: string; readonly reason: string },
): Promise<void> {
  await keepReasons(transaction, [given], () => dataKey)
}

/** Several, each with the key of its user. */
export async function keepReasons(
  transaction: Transaction,
  given: readonly { readonly user: string; readonly id: string; readonly reason: string }[],
  dataKeyOf: (user: string) => Buffer | undefined,
): Promise<void> {
  const rows = given.map(({ user, id, reason }) => ({
    user,
    id,
    sealed: sealValue(dataKeyOf(user), sealedPlaceOfReason(user, id), reason),
  }))
  await insertReasons(transaction, rows)
}

/** `undefined`: a master key is missing, or the row is damaged; what else is asked for can still be read. */
export function openReason({ keyring }: StoreKeys, row: ReasonRow): string | undefined {
  try {
    return String(openValue(openDataKey(keyring, row), sealedPlaceOfReason(row.user, row.id), row.sealed))
  } catch {
    return undefined
  }
}

/** Why, by the ids of events or changesets; those without a reason are not in it. */
export async function reasonsOf(
  { sql: database, keys }: Pick<Database, 'sql' | 'keys'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await reasonsById(database, ids)
  return new Map(
    rows.flatMap((row) => {
      const reason = openReason(keys, row)
      return reason === undefined ? [] : [[row.id, reason]]
    }),
  )
}

const sealedPlaceOfReason = (user: string, id: string): SealedPlace => ({
  user,
  key: 'reason',
  type: 'TEXT',
  changeset: { id, side: 'reason' },
})

/**
 * Events, as JSON text, as a caller may see them: reasons with `sensitive:read`; which properties were read with
 * `entities:read`, since the names of a person's properties tell of the person.
 */
export async function eventsSeenBy(
  database: Pick<Database, 'sql' | 'keys'>,
  caller: Caller,
  json: string,
): Promise<string> {
  const seesReasons = caller.scopes.has('sensitive:read')
  if (!tellsOfReading(json) || (seesKeys(caller) && !seesReasons)) return json
  const parsed = JSON.parse(json) as Event | Event[]
  const events = [parsed].flat()
  const reasons = seesReasons
    ? await reasonsOf(
        database,
        events.filter(({ type }) => isOfReading(type)).map(({ id }) => id),
      )
    : new Map<string, string>()
  for (const event of events) {
    const reason = reasons.get(event.id)
    if (reason !== undefined) event.properties.reason = reason
    if (!seesKeys(caller)) hideKeys(event)
  }
  return JSON.stringify(parsed)
}

/** Returns an event of the stream as the caller may see it. The stream never includes reasons. */
export function toStreamedEvent(caller: Caller, json: string): string {
  if (seesKeys(caller) || !tellsOfReading(json)) return json
  const event = JSON.parse(json) as Event
  hideKeys(event)
  return JSON.stringify(event)
}

function hideKeys({ properties }: Event): void {
  delete properties.keys
  delete properties.tested
  if (properties.entities !== undefined)
    properties.entities = JSON.stringify(
      Object.fromEntries([...entitiesIn(properties.entities).keys()].map((id) => [id, []])),
    )
}

const seesKeys = ({ scopes }: Caller) => scopes.has('entities:read')
const isOfReading = (type: string) => type === 'SENSITIVE_DATA_ACCESSED' || type === 'SENSITIVE_DATA_CHECKED'
const tellsOfReading = (json: string) => /SENSITIVE_DATA_(ACCESSED|CHECKED|SEARCHED)/.test(json)
