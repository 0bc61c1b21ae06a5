import { recordEvents } from '../events/storage.ts'
import type { Transaction } from '../store/sql.ts'
import { type Definition, ofTypeItself, storeDefinitions } from './storage.ts'

/** Changes of one write that are told one by one; more of them are one event. */
const mostEvents = 20

/**
 * Makes `before` to `after`, and records what changed. Both are about the same definitions: all, or one. Must be called
 * under the lock of the version.
 */
export async function changeDefinitions(
  transaction: Transaction,
  {
    before,
    after,
    actor,
  }: {
    readonly before: readonly Definition[]
    readonly after: readonly Definition[]
    readonly actor: string
  },
): Promise<void> {
  const known = new Map(before.map((each) => [nameOf(each), each]))
  const left = new Set(after.map(nameOf))
  const written = after.filter((each) => {
    const old = known.get(nameOf(each))
    return !old || !saysSame(old, each)
  })
  const deleted = before.filter((each) => !left.has(nameOf(each)))
  if (written.length + deleted.length === 0) return
  await storeDefinitions(transaction, written, deleted)
  const tell =
    (change: string) =>
    ({ entityType, key }: Definition) => ({
      entityType,
      ...(key !== ofTypeItself && { key }),
      change,
      actor,
    })
  const changes = [
    ...written.map((each) => tell(known.has(nameOf(each)) ? 'updated' : 'created')(each)),
    ...deleted.map(tell('deleted')),
  ]
  await recordEvents(
    transaction,
    'DEFINITION_CHANGED',
    changes.length > mostEvents ? [{ change: 'imported', count: String(changes.length), actor }] : changes,
  )
}

const nameOf = ({ entityType, key }: Definition) => JSON.stringify([entityType, key])

/**
 * Whether two definitions say the same. Members come in the order of the contract's schema, and the order of languages
 * counts: the first one stands in for others.
 */
const saysSame = (a: Definition, b: Definition) =>
  JSON.stringify(a.definition) === JSON.stringify(b.definition)
