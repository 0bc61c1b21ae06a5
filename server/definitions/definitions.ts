import type { Dictionary, KnownDefinition, KnownType } from '#contract/index.ts'
import { inferDefinition } from '#contract/index.ts'
import { fixedDocument } from '../http/compress.ts'
import type { Database } from '../sealing/database.ts'
import { type DefinitionRow, ofTypeItself, readDefinitions, readVersion } from './storage.ts'

/** Time for which a process warns by the definitions that it knows, before it looks for later ones. */
const trustedForMs = 1000

/** The definitions of the store as of one version. */
export interface KeptDefinitions {
  readonly version: string
  readonly rows: readonly DefinitionRow[]
}

/** Entity types as counted, for what nobody defined; `made` is when the count began. */
export interface Counted {
  readonly made: string
  readonly entityTypes: Dictionary['entityTypes']
}

/** In-memory copy of the definitions, which are few, and of the answers that list them. */
export class DefinitionCache {
  readonly #database: Database
  #kept: KeptDefinitions | undefined
  /** Time of the latest read that `isSensitive` began, on the process's clock. */
  #lookedMs = -Infinity
  #marks: { readonly of: KeptDefinitions; readonly sensitive: ReadonlyMap<string, boolean> } | undefined
  readonly #answers = new Map<'written' | 'counted', Answer>()

  constructor(database: Database) {
    this.#database = database
  }

  /** Returns the current definitions, after asking the database whether they are still those that are kept. */
  async read(): Promise<KeptDefinitions> {
    const { sql } = this.#database
    const version = await readVersion(sql)
    if (this.#kept?.version !== version) this.#kept = { version, rows: await readDefinitions(sql) }
    return this.#kept
  }

  /**
   * Returns whether a key is defined as sensitive, without waiting; undefined if nobody has said so. Answers from
   * memory and looks for later definitions in the background, so that a write pays no statement for it.
   */
  isSensitive(entityType: string, key: string): boolean | undefined {
    if (performance.now() - this.#lookedMs > trustedForMs) {
      this.#lookedMs = performance.now()
      // After a failure the copy in memory stays, and the next look is as far away as after a success.
      this.read().catch(() => undefined)
    }
    const kept = this.#kept
    if (!kept) return undefined
    if (this.#marks?.of !== kept) this.#marks = { of: kept, sensitive: sensitiveOf(kept) }
    return this.#marks.sensitive.get(joinOfKey(entityType, key))
  }

  /**
   * Returns the list of all definitions as JSON, with its rows. It is made anew, and compressed and tagged, only if
   * definitions or counts have changed: counts that are equal keep their answer, and its time.
   */
  async list(
    counted: Counted | undefined,
  ): Promise<{ readonly json: Buffer; readonly rows: readonly DefinitionRow[] }> {
    const { version, rows } = await this.read()
    const kind = counted ? 'counted' : 'written'
    const known = this.#answers.get(kind)
    if (known?.version === version && known.counted === counted) return { json: known.json, rows }
    const types = JSON.stringify(listTypes(rows, counted?.entityTypes))
    const isSame = known?.version === version && known.types === types
    const made = counted && `"made":${JSON.stringify(counted.made)},`
    const json = isSame ? known.json : fixedDocument(`{${made ?? ''}"entityTypes":${types}}`)
    this.#answers.set(kind, { version, counted, types, json })
    return { json, rows }
  }
}

const joinOfKey = (entityType: string, key: string) => JSON.stringify([entityType, key])

function sensitiveOf({ rows }: KeptDefinitions): ReadonlyMap<string, boolean> {
  return new Map(
    rows.flatMap(({ entityType, key, definition }) =>
      'sensitive' in definition && definition.sensitive !== undefined
        ? [[joinOfKey(entityType, key), definition.sensitive] as const]
        : [],
    ),
  )
}

interface Answer {
  readonly version: string
  readonly counted: Counted | undefined
  readonly types: string
  readonly json: Buffer
}

/** Returns all entity types with their properties: as somebody defined them, and inferred from counts for the others. */
function listTypes(rows: readonly DefinitionRow[], counted: Counted['entityTypes'] | undefined): KnownType[] {
  const written = Map.groupBy(rows, ({ entityType }) => entityType)
  const counts = new Map(counted?.map((each) => [each.type, each]))
  return Array.from(new Set([...counts.keys(), ...written.keys()]), (type) => {
    const ofType = written.get(type) ?? []
    const own = ofType.find(({ key }) => key === ofTypeItself)
    const count = counts.get(type)
    const users = counted && { users: count?.users ?? 0 }
    return {
      type,
      ...(own ? { ...own.definition, ...users, updated: own.updated } : { inferred: true, ...users }),
      properties: listProperties(
        ofType.filter((row) => row !== own),
        counted && (count?.keys ?? []),
      ),
    } as KnownType
  })
}

function listProperties(
  rows: readonly DefinitionRow[],
  counted: Dictionary['entityTypes'][number]['keys'] | undefined,
): KnownDefinition[] {
  const users = new Map(counted?.map((each) => [each.key, each.users]))
  const defined = rows.map((row) => withFacts(row, counted && (users.get(row.key) ?? 0)))
  const keys = new Set(rows.map(({ key }) => key))
  const inferred = (counted ?? []).filter(({ key }) => !keys.has(key)).map(inferDefinition)
  const place = ({ order }: KnownDefinition) => order ?? Infinity
  return [...defined, ...inferred].toSorted((a, b) => {
    const [before, after] = [place(a), place(b)]
    return before === after ? (b.users ?? 0) - (a.users ?? 0) : before - after
  })
}

/** Returns a property's definition as it is answered. */
export function withFacts({ key, definition, updated }: DefinitionRow, users?: number): KnownDefinition {
  return { key, ...definition, ...(users !== undefined && { users }), updated }
}
