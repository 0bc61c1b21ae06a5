import type { Separator } from '#contract/import.ts'
import {
  type Entity,
  type Property,
  type User,
  type UserColumn,
  type WhichEntities,
} from '#contract/index.ts'
import { headerMarks, propertyHeader, userCell, valueCell } from '#contract/reading/cells.ts'
import { byteOrderMark, writeRows } from '#contract/reading/table.ts'
import { api } from '../../api/index.ts'
import { labelWithType } from '../../domain/labels.ts'
import { isRefused } from '../../domain/page-route.ts'
import { isSensitiveProperty, maskEntity } from '../../domain/people/mask-entity.ts'
import { keepsValues, requestMasked } from '../../domain/queries/entities.ts'
import { userPages, type UserSource } from '../../domain/user-list/user-pages.ts'
import { runInParallel, retryWhileBusy } from '../../domain/work/concurrency.ts'
import type { Sink } from '../../domain/work/sink.ts'
import type { Run } from '../../domain/work/use-work.ts'
import { userText } from '../../messages/index.ts'
import { buildFilter, listMatching } from './matching-entities.ts'

export interface PropertyColumns {
  /** Type of the entities. */
  readonly entity: string
  readonly which: WhichEntities
  readonly keys: readonly { readonly key: string; readonly sensitive: boolean | 'perhaps' }[]
}

/** Titles of columns: keys, which the import reads, or labels for people. */
export const columnTitles = ['keys', 'labels'] as const
export type ColumnTitles = (typeof columnTitles)[number]

interface CsvFormat {
  readonly kind: 'csv'
  readonly separator: Separator
  readonly titles: ColumnTitles
  readonly byteOrderMark: boolean
  readonly fields: readonly UserColumn[]
  /**
   * Columns for properties. They cost one extra request per user, another one if only the entities that match the
   * filter are exported, and one for each entity whose sensitive values are revealed.
   */
  readonly properties?: PropertyColumns | undefined
}

interface JsonLinesFormat {
  readonly kind: 'jsonl'
  /** Whether to include entities, which costs at least one extra request per user. */
  readonly withEntities: boolean
}

export interface ExportPlan {
  readonly source: UserSource
  readonly format: CsvFormat | JsonLinesFormat
  /** Reason for including sensitive values; undefined to withhold them. */
  readonly reason?: string | undefined
}

export interface ExportProgress {
  /** Number of users written to the file, each with at least one row. */
  readonly users: number
  readonly rows: number
  /** Number of users when the latest page was read; undefined if the service does not tell. */
  readonly total: number | undefined
  /** Number of sensitive values left out. */
  readonly withheld: number
  /** Seconds to wait before the next request, as the service asked. */
  readonly waitSeconds?: number | undefined
}

const requestsAtOnce = 4

export const nothingExported: ExportProgress = { users: 0, rows: 0, total: undefined, withheld: 0 }

/** Writes users to a file page by page, holding one page in memory. A repeated run resumes after the last one. */
export function createExport(plan: ExportPlan, sink: Sink): Run<ExportProgress, void> {
  let progress = nothingExported
  let from: string | undefined
  let hasBegun = false
  let isComplete = false

  const pages = async (signal: AbortSignal, onProgress: (progress: ExportProgress) => void) => {
    for await (const { users, total, next } of userPages({ ...plan.source, from, signal })) {
      const written = await runInParallel(users, requestsAtOnce, (user) => writtenUser(plan, user, signal))
      await sink.write(written.map(({ text }) => text).join(''))
      from = next
      isComplete = next === undefined
      progress = {
        users: progress.users + users.length,
        rows: progress.rows + written.reduce((sum, { rows }) => sum + rows, 0),
        total,
        withheld: progress.withheld + withheldIn(written),
      }
      onProgress(progress)
    }
  }
  return async (signal, onProgress) => {
    if (!hasBegun) await sink.write(head(plan))
    hasBegun = true
    if (!isComplete)
      await retryWhileBusy(() => pages(signal, onProgress), {
        signal,
        place: () => progress.users,
        onWait: (waitSeconds) => onProgress({ ...progress, waitSeconds }),
      })
    await sink.close()
  }
}

function head({ format, reason }: ExportPlan): string {
  if (format.kind === 'jsonl') return ''
  const { fields, properties, titles, separator } = format
  const columns = [
    ...fields.map((field) => ({ key: field as string, label: userText.columns[field] })),
    ...(properties?.keys ?? []).map(({ key, sensitive }) => {
      const { entity, which } = properties ?? { entity: '' }
      const header = { entity, which, key, sensitive, withheld: sensitive !== false && reason === undefined }
      return { key: propertyHeader(header), label: `${labelWithType(entity, key)}${headerMarks(header)}` }
    }),
  ]
  // Columns with one label are told apart by their keys.
  const isAmbiguous = (label: string) => columns.filter((each) => each.label === label).length > 1
  const cells = columns.map(({ key, label }) => (titles === 'keys' || isAmbiguous(label) ? key : label))
  return `${format.byteOrderMark ? byteOrderMark : ''}${writeRows([cells], separator)}`
}

const withheldIn = (all: readonly { readonly withheld: number }[]) =>
  all.reduce((sum, { withheld }) => sum + withheld, 0)

async function writtenUser(plan: ExportPlan, user: User, signal: AbortSignal) {
  const { format, reason } = plan
  if (format.kind === 'jsonl') {
    const { invite_url: _, ...line } = user
    if (!format.withEntities) return { text: `${JSON.stringify(line)}\n`, rows: 1, withheld: 0 }
    const read = await runInParallel(await entitiesOf(user, reason, signal), 1, (entity) =>
      revealEntity(user, entity, undefined, reason, signal),
    )
    const whole = { ...line, entities: read.map(({ entity }) => entity) }
    return { text: `${JSON.stringify(whole)}\n`, rows: 1, withheld: withheldIn(read) }
  }
  const { fields, separator, properties } = format
  const own = fields.map((field) => userCell(user, field))
  if (!properties) return { text: writeRows([own], separator), rows: 1, withheld: 0 }
  const keys = properties.keys.map(({ key }) => key)
  const wanted = await wantedOf(user, properties, plan, signal)
  const read = await runInParallel(wanted, 1, (entity) =>
    revealEntity(user, entity, new Set(keys), reason, signal),
  )
  const rows = read.map(({ entity }) => {
    const byKey = new Map(entity.properties.map((property) => [property.key, property]))
    return keys.map((key) => {
      const property = byKey.get(key)
      return property ? valueCell(property) : ''
    })
  })
  // A user without a wanted entity still gets one row.
  if (rows.length === 0) rows.push(keys.map(() => ''))
  return {
    text: writeRows(
      rows.map((cells) => [...own, ...cells]),
      separator,
    ),
    rows: rows.length,
    withheld: withheldIn(read),
  }
}

async function wantedOf(
  user: User,
  { entity, which }: PropertyColumns,
  { source, reason }: ExportPlan,
  signal: AbortSignal,
): Promise<Entity[]> {
  const found = (await entitiesOf(user, reason, signal)).filter(({ type }) => type === entity)
  if (which === 'first') return found.slice(0, 1)
  if (which === 'each' || found.length === 0) return found
  const ids = await readMatching(user, entity, source, signal)
  return found.filter(({ id }) => ids.has(id))
}

/** Returns the ids of the entities of a type that make a user match the source's filter. */
async function readMatching({ id }: User, type: string, source: UserSource, signal: AbortSignal) {
  const request = api.explainUser({ params: { user_id: id }, body: buildFilter(source), signal })
  const explanation = await ignoreDeleted(request)
  return new Set(explanation?.why ? listMatching(explanation.why, type) : [])
}

async function entitiesOf({ id }: User, reason: string | undefined, signal: AbortSignal): Promise<Entity[]> {
  // Older releases cannot reveal values later, so with a reason this read must contain them.
  const query = reason === undefined || keepsValues() ? requestMasked() : {}
  return (await ignoreDeleted(api.listEntities({ params: { user_id: id }, query, signal }))) ?? []
}

/** Returns undefined if the user was deleted after the page was read. */
async function ignoreDeleted<Answer>(reading: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await reading
  } catch (error) {
    if (isRefused(error, 404)) return undefined
    throw error
  }
}

/** Returns an entity with its sensitive values revealed or withheld. `keys`: the wanted ones; undefined for all. */
async function revealEntity(
  { id }: User,
  entity: Entity,
  keys: ReadonlySet<string> | undefined,
  reason: string | undefined,
  signal: AbortSignal,
) {
  const wanted = { ...entity, properties: entity.properties.filter(({ key }) => keys?.has(key) ?? true) }
  const sensitive = wanted.properties.filter(isSensitiveProperty).map(({ key }) => key)
  let read: Entity = wanted
  if (reason === undefined) read = maskEntity(wanted)
  else if (sensitive.length > 0 && keepsValues()) {
    const { properties } = await api.revealProperties({
      params: { user_id: id, entity_id: entity.id },
      body: { keys: sensitive, reason },
      signal,
    })
    const byKey = new Map(properties.map((property) => [property.key, property]))
    read = { ...wanted, properties: wanted.properties.map((property) => byKey.get(property.key) ?? property) }
  }
  const isWithheld = (property: Property) => isSensitiveProperty(property) && property.value === undefined
  return { entity: read, withheld: read.properties.filter(isWithheld).length }
}
