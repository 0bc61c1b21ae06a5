import { sql } from 'kysely'

import type { BatchProperty } from '#contract/index.ts'
import type { Planning, Writing } from '../changesets/record.ts'
import { type Plan, planAddition, planWrite } from '../entities/plan.ts'
import { keyIn } from '../entities/properties.ts'
import { countEntities, type EntityOwner, type EntityRow, oldestOfTypes } from '../entities/storage.ts'
import { store } from '../entities/store.ts'
import { openLocked } from '../entities/write.ts'
import { entityTag } from '../http/headers/etag.ts'
import { lockUsers } from '../users/storage.ts'
import { toRefusedWrite } from './refused.ts'
import { isOfStore, storeOrSplit } from './splitting.ts'
import type { NextUser, PlacedOutcome, UserOutcome } from './storage.ts'
import type { JobProperty, SetTask } from './task.ts'
import type { Turn } from './turn.ts'

export function setTaskOf({ claim, typed, database, failed }: Turn): SetTask {
  const set = { ...(claim.asked as JobProperty), value: typed.value }
  return { set, dryRun: claim.dry_run, secret: database.keys.secrets.etag, failed }
}

/** A user with what the job comes to, unless storing the plan is refused. */
interface PlannedSet {
  readonly next: NextUser
  readonly outcome: UserOutcome
  /** Undefined if nothing is to be written. */
  readonly plan?: Plan | undefined
}

/**
 * Sets the property on users by the rules of requests from the caller. Refused writes and a dry run are rolled back.
 * Throws if the store is in trouble, so that the users are tried again.
 */
export async function setProperty(
  writing: Writing,
  lot: readonly NextUser[],
  task: SetTask,
): Promise<PlacedOutcome[]> {
  const { transaction } = writing
  const known = await findTargets(transaction, lot, task.set)
  const planned = lot.map((next) => planSet(writing, next, task, known))
  if (task.dryRun) await sql`savepoint before_lot`.execute(transaction)
  const stored = await storeOrSplit<PlannedSet, UserOutcome>(
    transaction,
    planned.filter(({ plan }) => plan),
    {
      async store(some) {
        await store(
          writing,
          some.flatMap(({ plan }) => plan ?? []),
        )
        return new Map(some.map((row) => [row, row.outcome]))
      },
      refuse: ({ outcome }, error) => ({ ...toRefusedWrite(error, task), entity: outcome.entity }),
      isFatal: isOfStore,
    },
  )
  if (task.dryRun) await sql`rollback to savepoint before_lot`.execute(transaction)
  return planned.map((row) => {
    const { at, user } = row.next
    return Object.assign({ at, user }, stored.get(row) ?? row.outcome)
  })
}

/** Users with the entities that the job writes, locked. */
interface Targets {
  readonly entitiesOf: (user: string) => readonly EntityRow[] | undefined
  /** Returns the owner of a first entity of the type. */
  readonly ownerOf: (user: string) => EntityOwner
}

async function findTargets(
  transaction: Writing['transaction'],
  lot: readonly NextUser[],
  { entity: type, create }: BatchProperty,
): Promise<Targets> {
  const users = await lockUsers(
    transaction,
    lot.map(({ user }) => user),
  )
  const ids = users.map(({ user }) => user)
  const rows = await oldestOfTypes(transaction, ids, [type], { lock: true, atMost: 2 })
  const entities = new Map<string, EntityRow[]>(ids.map((id) => [id, []]))
  for (const row of rows) entities.get(row.user)?.push(row)
  const without = create ? users.filter(({ user }) => entities.get(user)?.length === 0) : []
  const counts = await countEntities(
    transaction,
    without.map(({ user }) => user),
  )
  const owners = new Map(without.map((owner) => [owner.user, owner]))
  return {
    entitiesOf: (user) => entities.get(user),
    ownerOf: (user) => {
      const { master = null, wrapped = null } = owners.get(user) ?? {}
      return { user, master, wrapped, type, ofType: 0, ...(counts.get(user) ?? { count: 0, bytes: 0 }) }
    },
  }
}

function planSet(
  writing: Planning & Pick<Writing, 'keys'>,
  next: NextUser,
  task: SetTask,
  known: Targets,
): PlannedSet {
  const { user, seen } = next
  const entities = known.entitiesOf(user)
  if (!entities) return { next, outcome: { outcome: 'not_found' } }
  const [row, second] = entities
  if (second && task.set.which === 'only') return { next, outcome: { outcome: 'ambiguous' } }
  const set = { ...task.set, key: keyIn(new Set(Object.keys(row?.properties ?? {})), task.set.key).key }
  const now = entityTag(task.secret, [user, row?.id, row && ownProperty(row, set.key)])
  if (seen !== null && seen !== now) return { next, outcome: { outcome: 'conflict', entity: row?.id } }
  try {
    const { outcome, plan } = row
      ? planChanged(writing, row, set)
      : planCreated(writing, known.ownerOf(user), set)
    // The rollback of a dry run removes a created entity, so its id must not be reported.
    if (task.dryRun) return { next, outcome: { outcome, entity: row?.id, seen: now }, plan }
    return {
      next,
      outcome: { outcome, entity: row?.id ?? plan?.entity?.id, changeset: row && plan?.changes[0]?.id },
      plan,
    }
  } catch (error) {
    return { next, outcome: { ...toRefusedWrite(error, task), entity: row?.id } }
  }
}

type Planned = Pick<PlannedSet, 'plan'> & Pick<UserOutcome, 'outcome'>

function planCreated(planning: Planning, owner: EntityOwner, set: BatchProperty): Planned {
  if (!set.create || set.value === null) return { outcome: 'no_entity' }
  return { outcome: 'created', plan: planAddition(planning, owner, [inputOf(set)]) }
}

function planChanged(writing: Planning & Pick<Writing, 'keys'>, row: EntityRow, set: BatchProperty): Planned {
  const property = ownProperty(row, set.key)
  if (!property && set.value === null) return { outcome: 'unchanged' }
  const plan = planWrite(writing, openLocked(writing, row), row.type, [inputOf(set)], 'change')
  // For a sensitive property always `changed`: `unchanged` would reveal that it already had this value.
  const isChanged = plan !== undefined || property?.sensitive === true
  return { outcome: !property ? 'added' : isChanged ? 'changed' : 'unchanged', plan }
}

const inputOf = ({ key, type, value, sensitive }: BatchProperty) => ({
  key,
  type,
  value,
  ...(sensitive && { sensitive }),
})

/** Returns the property as stored. The stored text of a sealed value differs after every write. */
function ownProperty({ properties, sealed }: EntityRow, key: string) {
  if (!Object.hasOwn(properties, key)) return undefined
  const { type, sensitive = false, value } = properties[key] ?? {}
  return { type, sensitive, value: sensitive ? sealed[key] : value }
}
