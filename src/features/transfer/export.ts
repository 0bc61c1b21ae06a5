import type { Entity, Property, User } from '#contract/index.ts'
import { api, ApiError, offers } from '../../api/index.ts'
import { userPages, type UserSource } from '../../domain/user-list/user-pages.ts'
import { propertyHeader, type UserColumn, userCell, valueCell } from './cells.ts'
import { byteOrderMark, csvRows, type Separator } from '../../domain/work/csv.ts'
import { inParallel, patiently } from '../../domain/work/pace.ts'
import type { Sink } from '../../domain/work/sink.ts'
import type { Run } from '../../domain/work/use-work.ts'
import { isSensitiveProperty, withheldEntity } from '../../domain/people/withhold.ts'

export interface PropertyColumns {
  /** Of the first entity of this type. */
  readonly entity: string
  readonly keys: readonly { readonly key: string; readonly sensitive: boolean | 'perhaps' }[]
}

export interface CsvFormat {
  readonly kind: 'csv'
  readonly separator: Separator
  readonly byteOrderMark: boolean
  readonly fields: readonly UserColumn[]
  /** One request more for each user. */
  readonly properties?: PropertyColumns | undefined
}

export interface JsonLinesFormat {
  readonly kind: 'jsonl'
  /** One request more for each user. */
  readonly withEntities: boolean
}

export interface ExportPlan {
  readonly source: UserSource
  readonly format: CsvFormat | JsonLinesFormat
  /** Why sensitive values are in the file; absent: they are withheld. */
  readonly reason?: string | undefined
}

export interface ExportProgress {
  /** Users in the file. */
  readonly rows: number
  /** Users there were when the last page was read; absent where the service does not say. */
  readonly total: number | undefined
  /** Sensitive values that were left out. */
  readonly withheld: number
  /** The service asked to be left alone for so long. */
  readonly waitSeconds?: number | undefined
}

const requestsAtOnce = 4

export const nothingExported: ExportProgress = { rows: 0, total: undefined, withheld: 0 }

/**
 * Writes users into a file, page by page: what is in memory is one page. Run again, it goes on behind the last page that
 * is in the file.
 */
export function createExport(plan: ExportPlan, sink: Sink): Run<ExportProgress, void> {
  let progress = nothingExported
  let from: string | undefined
  let hasBegun = false
  let isComplete = false

  const pages = async (signal: AbortSignal, onProgress: (progress: ExportProgress) => void) => {
    for await (const { users, total, next } of userPages({ ...plan.source, from, signal })) {
      const written = await inParallel(users, requestsAtOnce, (user) => writtenUser(plan, user, signal))
      await sink.write(written.map(({ text }) => text).join(''))
      from = next
      isComplete = next === undefined
      progress = {
        rows: progress.rows + users.length,
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
      await patiently(() => pages(signal, onProgress), {
        signal,
        place: () => progress.rows,
        onWait: (waitSeconds) => onProgress({ ...progress, waitSeconds }),
      })
    await sink.close()
  }
}

function head({ format, reason }: ExportPlan): string {
  if (format.kind === 'jsonl') return ''
  const { properties } = format
  const keys = (properties?.keys ?? []).map(({ key, sensitive }) =>
    propertyHeader({
      entity: properties?.entity ?? '',
      key,
      sensitive,
      withheld: sensitive !== false && reason === undefined,
    }),
  )
  return `${format.byteOrderMark ? byteOrderMark : ''}${csvRows([[...format.fields, ...keys]], format.separator)}`
}

interface Withheld {
  /** Sensitive values that were left out. */
  readonly withheld: number
}

const withheldIn = (all: readonly Withheld[]) => all.reduce((sum, { withheld }) => sum + withheld, 0)

async function writtenUser(
  { format, reason }: ExportPlan,
  user: User,
  signal: AbortSignal,
): Promise<Withheld & { readonly text: string }> {
  if (format.kind === 'jsonl') {
    const { invite_url: _, ...line } = user
    if (!format.withEntities) return { text: `${JSON.stringify(line)}\n`, withheld: 0 }
    const read = await inParallel(await entitiesOf(user, signal), 1, (entity) =>
      opened(user, entity, undefined, reason, signal),
    )
    const whole = { ...line, entities: read.map(({ entity }) => entity) }
    return { text: `${JSON.stringify(whole)}\n`, withheld: withheldIn(read) }
  }
  const { fields, separator, properties } = format
  const keys = (properties?.keys ?? []).map(({ key }) => key)
  const first = properties && (await entitiesOf(user, signal)).find(({ type }) => type === properties.entity)
  const read = first && (await opened(user, first, new Set(keys), reason, signal))
  const byKey = new Map(read?.entity.properties.map((property) => [property.key, property]))
  const cells = keys.map((key) => {
    const property = byKey.get(key)
    return property ? valueCell(property) : ''
  })
  return {
    text: csvRows([[...fields.map((field) => userCell(user, field)), ...cells]], separator),
    withheld: read?.withheld ?? 0,
  }
}

async function entitiesOf({ id }: User, signal: AbortSignal): Promise<Entity[]> {
  try {
    return await api.listEntities({
      params: { user_id: id },
      signal,
      ...(offers('sensitive.masked') && { query: { sensitive: 'masked' as const } }),
    })
  } catch (error) {
    // Deleted since the page was read.
    if (error instanceof ApiError && error.status === 404) return []
    throw error
  }
}

/**
 * An entity with its sensitive values as the export is to have them: revealed for a reason, or withheld.
 * @param keys Of the properties that are wanted; `undefined`: all of them.
 */
async function opened(
  { id }: User,
  entity: Entity,
  keys: ReadonlySet<string> | undefined,
  reason: string | undefined,
  signal: AbortSignal,
): Promise<Withheld & { readonly entity: Entity }> {
  const wanted = { ...entity, properties: entity.properties.filter(({ key }) => keys?.has(key) ?? true) }
  const sensitive = wanted.properties.filter(isSensitiveProperty).map(({ key }) => key)
  let read: Entity = wanted
  if (reason === undefined) read = withheldEntity(wanted)
  else if (sensitive.length > 0 && offers('sensitive.reveal')) {
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
