import { type definitionEndpoints, newPropertyKey } from '#contract/index.ts'
import { changeDefinitions } from '../definitions/changes.ts'
import { type Counted, withFacts } from '../definitions/definitions.ts'
import { definitionsOf, ownMembers, requireFewEnough, requireFitting } from '../definitions/rules.ts'
import {
  countDefinitions,
  type Definition,
  ofTypeItself,
  readDefinitions,
  readVersion,
} from '../definitions/storage.ts'
import { type DictionaryCounts, toDictionaryTypes } from '../dictionary/dictionary.ts'
import { readNotedProperties } from '../entities/property-keys.ts'
import type { Caller } from '../http/auth/caller.ts'
import { invalid, notFound, type RefusalError } from '../http/errors/problem.ts'
import type { Handlers } from '../http/handler.ts'
import { entityTag } from '../http/headers/etag.ts'
import { pointer } from '../http/json.ts'
import { everSensitiveOf } from '../segments/storage.ts'
import type { Transaction } from '../store/sql.ts'
import type { Needs } from './needs.ts'

export function definitionHandlers({
  database,
  definitions,
  dictionary,
  commonValues,
}: Needs): Handlers<keyof typeof definitionEndpoints> {
  const tagOf = (definition: Definition) => entityTag(database.keys.secrets.etag, contentOf(definition))
  const tagOfAll = (all: readonly Definition[]) => entityTag(database.keys.secrets.etag, all.map(contentOf))
  /** Tag of the list in memory, which is kept as long as nothing changes. */
  const tags = new WeakMap<readonly Definition[], string>()
  const counted = new WeakMap<DictionaryCounts, Counted>()
  /** Counts for callers who may know of keys and users: they could ask for the dictionary. */
  const countsFor = async (caller: Caller): Promise<Counted | undefined> => {
    if (!caller.scopes.has('entities:read')) return undefined
    const kept = await dictionary.read()
    if (!kept) return undefined
    const known = counted.get(kept) ?? {
      made: new Date(kept.madeMs).toISOString(),
      entityTypes: toDictionaryTypes(kept, undefined),
    }
    counted.set(kept, known)
    return known
  }
  const find = async (entityType: string, key: string) => {
    const { rows } = await definitions.read()
    const row = rows.find((each) => each.entityType === entityType && each.key === key)
    if (!row) throw notFound('definition')
    return row
  }
  /** Whether a property is or was sensitive for anybody, or is defined as sensitive. */
  const isSealed = async (type: string, key: string) => {
    const { rows } = await definitions.read()
    const row = rows.find((each) => each.entityType === type && each.key === key)
    const isDefined = row !== undefined && 'sensitive' in row.definition && row.definition.sensitive === true
    return isDefined || (await everSensitiveOf(database.sql, [{ type, key }])).length > 0
  }
  const put = async (transaction: Transaction, after: Definition, { caller, requireUnchanged }: Writing) => {
    await readVersion(transaction, { lock: true })
    const ofType = await readDefinitions(transaction, after.entityType)
    const before = ofType.filter(({ key }) => key === after.key)
    requireUnchanged(() => before[0] && tagOf(before[0]))
    if (after.key !== ofTypeItself) {
      requireFitting(after, ofType)
      await requireKeys(transaction, [after], { stored: before, pathOf: () => [] })
    }
    if (before.length === 0) requireFewEnough((await countDefinitions(transaction)) + 1)
    await changeDefinitions(transaction, { before, after: [after], actor: caller.subject })
    return { status: 204 } as const
  }
  const remove = async (
    transaction: Transaction,
    { entityType, key }: Pick<Definition, 'entityType' | 'key'>,
    { caller, requireUnchanged }: Writing,
  ) => {
    await readVersion(transaction, { lock: true })
    const before = (await readDefinitions(transaction, entityType)).find((each) => each.key === key)
    if (!before) throw notFound('definition')
    requireUnchanged(() => tagOf(before))
    await changeDefinitions(transaction, { before: [before], after: [], actor: caller.subject })
    return { status: 204 } as const
  }
  return {
    async listDefinitions({ caller }) {
      const { json, rows } = await definitions.list(await countsFor(caller))
      const etag = tags.get(rows) ?? tagOfAll(rows)
      tags.set(rows, etag)
      return { status: 200, json, etag }
    },

    async replaceDefinitions({ body, caller, write, requireUnchanged }) {
      const after = definitionsOf(body)
      requireFewEnough(after.length)
      return await write(async (transaction) => {
        await readVersion(transaction, { lock: true })
        const before = await readDefinitions(transaction)
        requireUnchanged(() => tagOfAll(before))
        const pathOf = ({ entityType, key }: Definition) => {
          const at = body.entityTypes.findIndex(({ type }) => type === entityType)
          const properties = body.entityTypes[at]?.properties ?? []
          return ['entityTypes', at, 'properties', properties.findIndex((each) => each.key === key), 'key']
        }
        await requireKeys(transaction, after, { stored: before, pathOf })
        await changeDefinitions(transaction, { before, after, actor: caller.subject })
        return { status: 204 }
      })
    },

    async getTypeDefinition({ params: { entity_type: type }, caller }) {
      const row = await find(type, ofTypeItself)
      const counts = await countsFor(caller)
      const users = counts && (counts.entityTypes.find((each) => each.type === type)?.users ?? 0)
      const { key: _, ...body } = withFacts(row, users)
      return { status: 200, body: { type, ...body } as never, etag: tagOf(row) }
    },

    putTypeDefinition: ({ params: { entity_type: entityType }, body, write, ...call }) =>
      write((transaction) =>
        put(transaction, { entityType, key: ofTypeItself, definition: ownMembers(body, 'type') }, call),
      ),

    deleteTypeDefinition: ({ params: { entity_type: entityType }, write, ...call }) =>
      write((transaction) => remove(transaction, { entityType, key: ofTypeItself }, call)),

    async getDefinition({ params: { entity_type: type, key }, caller }) {
      const row = await find(type, key)
      const counts = await countsFor(caller)
      const keys = counts?.entityTypes.find((each) => each.type === type)?.keys
      const users = counts && (keys?.find((each) => each.key === key)?.users ?? 0)
      return { status: 200, body: withFacts(row, users), etag: tagOf(row) }
    },

    putDefinition: ({ params: { entity_type: entityType, key }, body, write, ...call }) =>
      write((transaction) =>
        put(transaction, { entityType, key, definition: ownMembers(body, 'key') }, call),
      ),

    deleteDefinition: ({ params: { entity_type: entityType, key }, write, ...call }) =>
      write((transaction) => remove(transaction, { entityType, key }, call)),

    async listKeyValues({ params: { entity_type: type, key }, query: { q } }) {
      if (await isSealed(type, key)) {
        commonValues.forget(type, key)
        return { status: 200, body: { masked: true, values: [] } }
      }
      const { madeMs, isCut, values } = await commonValues.read(type, key, q)
      return {
        status: 200,
        body: {
          ...(madeMs !== undefined && { made: new Date(madeMs).toISOString() }),
          ...(isCut && { atLeast: true }),
          values: [...values],
        },
      }
    },
  }
}

/** Refuses a key that no property can have, unless a property has or had it, or is defined by it, from before. */
async function requireKeys(
  transaction: Transaction,
  after: readonly Definition[],
  {
    stored,
    pathOf,
  }: {
    readonly stored: readonly Definition[]
    readonly pathOf: (definition: Definition) => readonly (string | number)[]
  },
): Promise<void> {
  const wrong = after.filter(({ key }) => key !== ofTypeItself && newPropertyKey.safeParse(key).data !== key)
  if (wrong.length === 0) return
  const noted = (await readNotedProperties(transaction)).map(({ entity, key }) => `${entity} ${key}`)
  const known = new Set([...noted, ...stored.map(({ entityType, key }) => `${entityType} ${key}`)])
  const errors = wrong
    .filter(({ entityType, key }) => !known.has(`${entityType} ${key}`))
    .map((definition): RefusalError => ({
      pointer: pointer(pathOf(definition)),
      code: 'invalid',
      detail:
        newPropertyKey.safeParse(definition.key).error?.issues[0]?.message ??
        'A key has no blanks or invisible characters at its ends.',
    }))
  if (errors.length > 0) throw invalid(errors)
}

interface Writing {
  readonly caller: Caller
  readonly requireUnchanged: (etag: () => string | undefined) => boolean
}

const contentOf = ({ entityType, key, definition }: Definition) => [entityType, key, definition]
