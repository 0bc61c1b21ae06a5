import type { Filter, Segment, SegmentWrite } from '#contract/index.ts'
import { sameJson } from '../../../domain/values/same-json.ts'

/** Editable content of a segment. Services differ in whether they omit empty members; here all are present. */
export interface Content {
  readonly name: string
  readonly description: string
  readonly tz: string
  readonly filter: unknown
}

/** Members that are merged one by one; a conflict in one is resolved separately. */
export type ContentKey = keyof Content
const keys = ['name', 'description', 'filter', 'tz'] as const satisfies ContentKey[]

type Written = Pick<Segment, 'name' | 'description' | 'tz' | 'filter'>

export function contentOf({ name, description, tz, filter }: Written): Content {
  return { name: name ?? '', description: description ?? '', tz: tz ?? 'UTC', filter }
}

export function segmentBody({ name, description, tz, filter }: Content): SegmentWrite {
  return {
    name,
    ...(description.trim() !== '' && { description }),
    filter: filter as Filter,
    ...(tz !== 'UTC' && { tz }),
  }
}

export function isSame(one: Content, other: Content, among: readonly ContentKey[] = keys): boolean {
  return among.every((key) => sameJson(one[key], other[key]))
}

export interface Merge {
  /** Own changes applied to the version that the other side saved. In a conflict, this side's value is kept. */
  readonly merged: Content
  /** Members that both sides changed to different values. */
  readonly conflicts: readonly ContentKey[]
  /** Members that only the other side changed. */
  readonly theirs: readonly ContentKey[]
}

export function mergeContent(base: Content, mine: Content, now: Content): Merge {
  const differs = (one: Content, other: Content) => keys.filter((key) => !isSame(one, other, [key]))
  const my = differs(base, mine)
  const their = differs(base, now)
  return {
    merged: { ...now, ...Object.fromEntries(my.map((key) => [key, mine[key]])) },
    conflicts: my.filter((key) => their.includes(key) && !isSame(mine, now, [key])),
    theirs: their.filter((key) => !my.includes(key)),
  }
}
