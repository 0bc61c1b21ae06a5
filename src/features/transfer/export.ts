import type { Entity, Property, User } from '#contract/index.ts'
import { api, ApiError, offers } from '../../api/index.ts'
import { userPages, type UserSource } from '../../domain/user-list/user-pages.ts'
import { propertyHeader, type UserColumn, userCell, valueCell } from './cells.ts'
import { byteOrderMark, csvRows, type Separator } from '../../domain/work/csv.ts'
import { inParallel, patiently } from '../../domain/work/pace.ts'
import type { Sink } from '../../domain/work/sink.ts'

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

/**
 * Writes users into a file, page by page: what is in memory is one page. `run` throws what a page failed with, or that it
 * was aborted; run again, it goes on behind the last page that is in the file.
 */
export function createExport(plan: ExportPlan, sink: Sink) {
  let progress: ExportProgress = { rows: 0, total: undefined, withheld: 0 }
  let from: string | undefined
  let hasBegun = false
  let isComplete = false

  const pages = async (signal: AbortSignal, onProgress: (progress: ExportProgress) => void) => {
    for await (const { users, total, next } of userPages({ ...plan.source, from, signal })) {
      const { text, withheld } = await writtenPage(plan, users, signal)
      await sink.write(text)
      from = next
      isComplete = next === undefined
      progress = { rows: progress.rows + users.length, total, withheld: progress.withheld + withheld }
      onProgress(progress)
    }
  }
  return {
    run: async (signal: AbortSignal, onProgress: (progress: ExportProgress) => void): Promise<void> => {
      if (!hasBegun) await sink.write(head(plan))
      hasBegun = true
      if (!isComplete)
        await patiently(() => pages(signal, onProgress), {
          signal,
          place: () => progress.rows,
          onWait: (waitSeconds) => onProgress({ ...progress, waitSeconds }),
        })
      await sink.close()
    },
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

interface Written {
  readonly text: string
  readonly withheld: number
}

async function writtenPage(
  { format, reason }: ExportPlan,
  users: readonly User[],
  signal: AbortSignal,
): Promise<Written> {
  if (format.kind === 'jsonl') {
    const lines = await inParallel(users, requestsAtOnce, async (user) => {
      const { invite_url: _, ...rest } = user
      if (!format.withEntities) return { line: rest, withheld: 0 }
      const read = await inParallel(await entitiesOf(user, signal), 1, (entity) =>
        opened(user, entity, undefined, reason, signal),
      )
      return {
        line: { ...rest, entities: read.map(({ entity }) => entity) },
        withheld: sum(read.map(({ withheld }) => withheld)),
      }
    })
    return {
      text: lines.map(({ line }) => `${JSON.stringify(line)}\n`).join(''),
      withheld: sum(lines.map(({ withheld }) => withheld)),
    }
  }
  const { fields, separator, properties } = format
  const rows = await inParallel(users, requestsAtOnce, async (user) => {
    const cells = fields.map((field) => userCell(user, field))
    if (!properties) return { cells, withheld: 0 }
    const keys = properties.keys.map(({ key }) => key)
    const first = (await entitiesOf(user, signal)).find(({ type }) => type === properties.entity)
    const read = first && (await opened(user, first, new Set(keys), reason, signal))
    const valueOf = (key: string) => read?.entity.properties.find((property) => property.key === key)
    return {
      cells: [
        ...cells,
        ...keys.map((key) => {
          const property = valueOf(key)
          return property ? valueCell(property) : ''
        }),
      ],
      withheld: read?.withheld ?? 0,
    }
  })
  return {
    text: csvRows(
      rows.map(({ cells }) => cells),
      separator,
    ),
    withheld: sum(rows.map(({ withheld }) => withheld)),
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

const isSensitive = ({ sensitive, masked }: Property) => sensitive === true || masked === true

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
): Promise<{ readonly entity: Entity; readonly withheld: number }> {
  const wanted = entity.properties.filter(({ key }) => keys?.has(key) ?? true)
  const sensitive = wanted.filter(isSensitive)
  let properties = wanted
  if (sensitive.length > 0 && reason === undefined)
    properties = wanted.map((property) => {
      if (!isSensitive(property)) return property
      const { value: _, ...rest } = property
      return { ...rest, masked: true }
    })
  else if (sensitive.length > 0 && reason !== undefined && offers('sensitive.reveal')) {
    const revealed = await api.revealProperties({
      params: { user_id: id, entity_id: entity.id },
      body: { keys: sensitive.map(({ key }) => key), reason },
      signal,
    })
    const byKey = new Map(revealed.properties.map((property) => [property.key, property]))
    properties = wanted.map((property) => byKey.get(property.key) ?? property)
  }
  return {
    entity: { ...entity, properties },
    withheld: properties.filter((property) => isSensitive(property) && property.value === undefined).length,
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
