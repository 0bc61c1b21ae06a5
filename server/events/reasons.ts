import type { Event } from '#contract/index.ts'
import type { Caller } from '../http/auth/caller.ts'
import { openDataKey, type StoreKeys } from '../sealing/data-keys.ts'
import type { Database } from '../sealing/database.ts'
import { openValue, type SealedPlace, sealValue } from '../sealing/encryption.ts'
import type { Transaction } from '../store/sql.ts'
import { entitiesIn } from './named-entities.ts'
import { type ReasonRow, reasonsById, reasonsInsert } from './storage.ts'

/**
 * Stores the reason for an event or a changeset under its id. The text may describe the user, so it is sealed under
 * that user's key and deleted with the user. The user's row must be locked against deletion.
 */
export async function keepReason(
  transaction: Transaction,
  dataKey: Buffer,
  given: GivenReason,
): Promise<void> {
  await keepReasons(transaction, [given], () => dataKey)
}

/** Stores several reasons, each sealed with its user's key. */
export async function keepReasons(
  transaction: Transaction,
  given: readonly GivenReason[],
  dataKeyOf: (user: string) => Buffer | undefined,
): Promise<void> {
  if (given.length === 0) return
  await reasonsInsert(given.map((each) => sealReason(dataKeyOf(each.user), each))).execute(transaction)
}

/** Reason for the event or the changeset with this id. */
interface GivenReason {
  readonly user: string
  readonly id: string
  readonly reason: string
}

/** Returns a reason as stored. */
export function sealReason(dataKey: Buffer | undefined, { user, id, reason }: GivenReason) {
  return { user, id, sealed: sealValue(dataKey, sealedPlaceOfReason(user, id), reason) }
}

/** Opens a reason; undefined if a master key is missing or the row is damaged, so that the rest stays readable. */
export function openReason({ keyring }: StoreKeys, row: ReasonRow): string | undefined {
  try {
    return String(openValue(openDataKey(keyring, row), sealedPlaceOfReason(row.user, row.id), row.sealed))
  } catch {
    return undefined
  }
}

/** Returns the reasons by the ids of events or changesets, without those that have none. */
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
 * Returns events, as JSON text, as a caller may see them: reasons require `sensitive:read`; the keys that were read
 * require `entities:read`, because the names of a person's properties reveal something about the person.
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
