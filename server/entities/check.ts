import { keepReason } from '../events/reasons.ts'
import { insertChecks } from '../events/sealed-gate.ts'
import type { Caller } from '../http/auth/caller.ts'
import { invalid, notFound, type RefusalError } from '../http/errors/problem.ts'
import { dataKeyOf, type StoreKeys } from '../sealing/data-keys.ts'
import type { Transaction } from '../store/sql.ts'
import { isSame } from './same-value.ts'
import { openRow } from './sealing.ts'
import { type EntityRow, findSealed } from './storage.ts'

export interface Check {
  readonly keys: readonly string[]
  readonly value: string
  readonly reason?: string | undefined
}

/** Data types whose values can be checked. Checking a BOOLEAN or a PREFERENCE would amount to reading it. */
const checkable: ReadonlySet<string> = new Set(['TEXT', 'EMAIL', 'URL', 'NUMBER', 'DECIMAL', 'DATE'])

/**
 * Whether a user has this value under one of the keys, without revealing the stored value. The transaction records the
 * check whatever the result, and commits before the answer. The caller must hold `keepUser`'s lock on the user.
 */
export async function checkSealed(
  { transaction, keys, caller }: { transaction: Transaction; keys: StoreKeys; caller: Caller },
  user: string,
  { keys: named, value, reason }: Check,
): Promise<boolean> {
  const rows = await findSealed(transaction, user, named)
  requireCheckable(rows, named)
  const checked = rows.map((row) => ({ user: row.user, entity: row.id, keys: Object.keys(row.properties) }))
  const events = await insertChecks(transaction, caller, checked)
  const [first] = rows
  if (!first) throw notFound('entity')
  if (reason !== undefined) {
    const dataKey = await dataKeyOf(transaction, keys.keyring, first)
    for (const id of events) await keepReason(transaction, dataKey, { user: first.user, id, reason })
  }
  return rows.some((row) =>
    Object.values(openRow(keys.keyring, row)).some((stored) => isSame(stored.type, stored.value, value)),
  )
}

function requireCheckable(rows: readonly EntityRow[], keys: readonly string[]): void {
  const typesOf = (key: string) =>
    rows.flatMap(({ properties }) => (Object.hasOwn(properties, key) ? [String(properties[key]?.type)] : []))
  const errors = keys.flatMap((key, index): RefusalError[] => {
    const types = typesOf(key)
    const pointer = `/keys/${index}`
    if (types.length === 0)
      return [
        {
          pointer,
          code: 'unknown_key',
          detail: 'No entity of this user has a sensitive property with this key.',
        },
      ]
    if (types.every((type) => checkable.has(type))) return []
    return [
      {
        pointer,
        code: 'not_checkable',
        detail: `Only ${[...checkable].join(', ')} can be checked.`,
      },
    ]
  })
  if (errors.length > 0) throw invalid(errors)
}
