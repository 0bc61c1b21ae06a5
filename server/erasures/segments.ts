import type { Filter } from '#contract/index.ts'
import { recordEvent } from '../events/storage.ts'
import type { Database } from '../sealing/database.ts'
import { isUsable } from '../segments/facts.ts'
import { openOperands, sealOperands } from '../segments/sealed-operands.ts'
import { lockSegment, type SegmentRow, segmentsAfter, updateSegment } from '../segments/storage.ts'
import type { Handle } from '../store/sql.ts'
import { emptyFilter, emptyText } from './emptying.ts'
import { emptyOfErased, type IsErased, knownOf, withoutErased } from './recognise.ts'

/** Segments that are read at once. */
const rowsReadAtOnce = 50

type Emptied = Pick<SegmentRow, 'name' | 'description'> & { readonly filter: Filter }

/** Empties all segments of users whose deletion does not wait for these master keys. */
export async function emptySegments(database: Database, masters: readonly string[]): Promise<void> {
  const { sql, keys } = database
  await emptyOfErased(database, 'segments', masters, async (known) => {
    for await (const { id } of segmentsHolding(database, known))
      await sql.transaction().execute(async (transaction) => {
        const locked = await lockSegment(transaction, id)
        const segment = locked && openUsableSegment(database, locked)
        const emptied = segment && (await emptySegment(transaction, segment, known))
        if (!emptied) return
        const next = { ...segment, ...emptied }
        await updateSegment(transaction, { ...next, filter: sealOperands(keys.indexKey, next) })
        await recordEvent(transaction, 'SEGMENT_UPDATED', { segment: id, erased: 'true' })
      })
    return true
  })
}

/** Returns the segments that still hold identifiers of an erased user, oldest first, with their names. */
export async function segmentsNaming(
  database: Database,
  user: string,
): Promise<Pick<SegmentRow, 'id' | 'name'>[]> {
  const found: Pick<SegmentRow, 'id' | 'name'>[] = []
  for await (const { id, name } of segmentsHolding(database, await knownOf(database, [user])))
    found.push({ id, name })
  return found
}

async function* segmentsHolding(database: Database, known: IsErased): AsyncGenerator<SegmentRow> {
  for (let after: string | undefined; ;) {
    const rows = await segmentsAfter(database.sql, after, rowsReadAtOnce)
    for (const row of rows) {
      const segment = openUsableSegment(database, row)
      if (segment && (await emptySegment(database.sql, segment, known))) yield segment
    }
    after = rows.at(-1)?.id
    if (rows.length < rowsReadAtOnce) return
  }
}

const emptySegment = async (handle: Handle, { name, description, filter }: SegmentRow, known: IsErased) =>
  await withoutErased(handle, known, (isErased): Emptied => ({
    name: emptyText(name, isErased, 200),
    description: description === null ? null : emptyText(description, isErased, 2000),
    filter: emptyFilter(filter, isErased),
  }))

/** Opens a segment; undefined for one that cannot be opened or is no filter of ours, which nobody can read either. */
function openUsableSegment({ keys }: Database, row: SegmentRow): SegmentRow | undefined {
  try {
    const segment = openOperands(keys.indexKey, row)
    return isUsable(segment) ? segment : undefined
  } catch {
    return undefined
  }
}
