import type { RawBuilder } from 'kysely'

import { formatCount, maxEntityBytes, maxUserBytes } from '#contract/index.ts'
import { recordStatements, type Writing } from '../changesets/record.ts'
import { invalid } from '../http/errors/problem.ts'
import { dataKeysOf } from '../sealing/data-keys.ts'
import { type NamedKey, userKeysInsert } from '../sealing/storage.ts'
import { runTogether } from '../store/distributed.ts'
import type { OnlyUsers, Transaction } from '../store/sql.ts'
import type { Plan } from './plan.ts'
import { noteKeys } from './property-keys.ts'
import { type AtRest, hasSensitive, sealProperties } from './sealing.ts'
import {
  entitiesDelete,
  entitiesInsert,
  entitiesUpdate,
  existingTargets,
  nameOfTarget,
  type StoredRow,
} from './storage.ts'
import { valueTermsDelete, valueTermsInsert, valueTermsOf } from './value-terms.ts'

/** Statements for the users themselves, combined with those for what they own. */
export interface UserStatements {
  /** Statements that return the ids of new users. */
  readonly returning: Readonly<Record<string, RawBuilder<StoredRow>>>
  readonly besides: readonly RawBuilder<unknown>[]
  /** Keeps out what new users own who were not inserted, because their e-mail or ref is taken. */
  readonly only?: OnlyUsers | undefined
}

/** A plan with the key of its user, undefined if nothing is to be sealed, and its entity as it will be stored. */
interface Sealed {
  readonly plan: Plan
  readonly dataKey: Buffer | undefined
  readonly atRest: AtRest | undefined
}

/**
 * Writes the plans, at most one of each user, all or none of them, with as many statements as for one. Needs the users'
 * locks, taken before the plans were made. Returns the ids of the new users that were inserted; if `users` leaves one
 * out, so are all of that user's rows. Throws a Refusal for what only the database knows: sizes, and targets that are
 * missing.
 */
export async function store(
  writing: Writing,
  plans: readonly Plan[],
  { returning = {}, besides = [], only }: Partial<UserStatements> = {},
): Promise<ReadonlySet<string>> {
  const { transaction, gate } = writing
  for (const { owner, entity } of plans)
    if (entity?.opens)
      await gate.openByWrite(writing, { user: owner.user, entity: entity.id, keys: entity.opens })
  const { sealed, newKeys } = await sealPlans(writing, plans)
  const recorded = sealed.flatMap(({ plan, dataKey }) => plan.changes.map((change) => ({ change, dataKey })))
  const entities = entityStatements(sealed, only)
  const statements = [
    ...besides,
    ...(newKeys.length > 0 ? [userKeysInsert(newKeys, only)] : []),
    ...entities.besides,
    ...(await recordStatements(writing, recorded, only)),
  ]
  const isUsual = plans.length === 1
  const named = { ...returning, ...entities.returning }
  const rows = await runTogether(transaction, named, statements, { isUsual })
  const stored = new Map(rows.map((row) => [row.id, row]))
  const written = plans.filter(({ owner }) => !owner.isNew || stored.has(owner.user))
  await requireTargets(transaction, written)
  for (const plan of written) refuseTooLarge(writing, plan, stored)
  await tellKeys(writing, written)
  return new Set(stored.keys())
}

/** Seals the values of the plans, under new keys if need be. `newKeys` are those of new users, still to be stored. */
async function sealPlans(
  { transaction, keys, reason }: Writing,
  plans: readonly Plan[],
): Promise<{ readonly sealed: Sealed[]; readonly newKeys: NamedKey[] }> {
  const sealing = plans.filter(
    ({ entity }) =>
      entity?.before?.dataKey === undefined &&
      (reason.given !== undefined || hasSensitive(entity?.properties ?? {})),
  )
  const [made, there] = [sealing.filter(isOfNew), sealing.filter((plan) => !isOfNew(plan))]
  const dataKeys = new Map(
    await dataKeysOf(
      transaction,
      keys.keyring,
      there.map(({ owner }) => owner),
    ),
  )
  const newKeys = Array.from(made, ({ owner: { user: name } }) => {
    const { dataKey, stored } = keys.keyring.create(name)
    dataKeys.set(name, dataKey)
    return { name, ...stored }
  })
  const sealed = plans.map((plan) => {
    const { owner, entity } = plan
    const dataKey = entity?.before?.dataKey ?? dataKeys.get(owner.user)
    const before = entity?.before && {
      opened: entity.before.opened,
      atRest: entity.before.row,
      unseen: entity.unseen ?? new Set<string>(),
    }
    const atRest =
      entity?.properties &&
      sealProperties({ ...keys, dataKey }, { user: owner.user, id: entity.id }, entity.properties, before)
    return { plan, dataKey, atRest }
  })
  return { sealed, newKeys }
}

const isOfNew = ({ owner }: Plan) => owner.isNew === true

function entityStatements(sealed: readonly Sealed[], only: OnlyUsers | undefined) {
  const rows = sealed.flatMap(({ plan: { owner, entity }, atRest }) =>
    entity && atRest ? [{ user: owner.user, entity, atRest }] : [],
  )
  const added = rows.flatMap(({ user, entity: { id, type, created, nthOfType, before }, atRest }) =>
    before ? [] : [{ user, id, type, created, nthOfType: nthOfType ?? 1, ...atRest }],
  )
  const updated = rows.flatMap(({ user, entity: { id, type, before }, atRest }) =>
    before ? [{ user, id, type, ...atRest }] : [],
  )
  const removed = sealed.flatMap(({ plan: { owner, entity } }) =>
    entity && !entity.properties ? [{ user: owner.user, id: entity.id }] : [],
  )
  const terms = rows.flatMap(({ user, entity: { id, before }, atRest }) => {
    const [now, then] = [valueTermsOf(atRest.properties), before && valueTermsOf(before.row.properties)]
    return JSON.stringify(now) === JSON.stringify(then ?? [])
      ? []
      : [{ user, id, terms: now, isOld: then !== undefined }]
  })
  const replaced = terms.filter(({ isOld }) => isOld)
  return {
    returning: {
      ...(added.length > 0 && { added: entitiesInsert(added, only) }),
      ...(updated.length > 0 && { updated: entitiesUpdate(updated) }),
    },
    besides: [
      ...(removed.length > 0 ? [entitiesDelete(removed)] : []),
      ...(replaced.length > 0 ? [valueTermsDelete(replaced)] : []),
      ...(terms.length > 0 ? [valueTermsInsert(terms, only)] : []),
    ],
  }
}

/**
 * Refuses, and so rolls back, a write that would make the user too large to read in reasonable time. Entities stored
 * before the limits existed may shrink. The user's lock keeps the size of the other entities unchanged.
 */
function refuseTooLarge(
  { pointer = '/properties' }: Writing,
  { owner, entity }: Plan,
  stored: ReadonlyMap<string, StoredRow>,
): void {
  const { bytes = null, others = null } = stored.get(entity?.id ?? '') ?? {}
  if (bytes === null || bytes <= (entity?.before?.row.bytes ?? 0)) return
  if (bytes > maxEntityBytes)
    throw invalid([
      {
        pointer,
        code: 'entity_too_large',
        detail: `An entity holds at most ${formatCount(maxEntityBytes)} bytes; with this it would hold ${formatCount(bytes)}. Shorten values, or spread the properties over several entities.`,
      },
    ])
  const total = bytes + (others ?? owner.bytes ?? 0)
  if (total > maxUserBytes)
    throw invalid([
      {
        pointer,
        code: 'user_too_large',
        detail: `The entities of a user hold at most ${formatCount(maxUserBytes)} bytes together; with this they would hold ${formatCount(total)}. Shorten values, or delete entities that are no longer needed.`,
      },
    ])
}

async function requireTargets(transaction: Transaction, plans: readonly Plan[]): Promise<void> {
  const relationships = plans.flatMap(({ entity }) => entity?.relationships ?? [])
  if (relationships.length === 0) return
  const there = await existingTargets(
    transaction,
    relationships.map(({ target }) => target),
  )
  const errors = relationships.flatMap(({ target, pointer }) =>
    there.has(nameOfTarget(target))
      ? []
      : [
          {
            pointer,
            code: 'unknown_target' as const,
            detail: target.entity ? 'There is no such entity of this user.' : 'There is no such user.',
          },
        ],
  )
  if (errors.length > 0) throw invalid(errors)
}

/** Notes the keys of written properties for suggestions, and tells of the values that are stored in clear. */
async function tellKeys({ transaction, inClear }: Writing, plans: readonly Plan[]): Promise<void> {
  const entities = plans.flatMap(({ entity }) =>
    entity?.properties ? [{ ...entity, properties: entity.properties }] : [],
  )
  if (entities.length === 0) return
  const marksOf = await noteKeys(transaction, entities)
  if (inClear)
    for (const { type, inClear: keys } of entities)
      for (const key of keys) inClear({ entity: type, key, others: marksOf(type, key) })
}
