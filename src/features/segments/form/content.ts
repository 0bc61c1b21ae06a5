import type { Filter, Segment, SegmentWrite } from '#contract/index.ts'
import { sameJson } from '../../../domain/values/same-json.ts'

/** What somebody wrote of a segment, whatever way a service leaves out what is empty. */
export interface Content {
  readonly name: string
  readonly description: string
  readonly tz: string
  readonly filter: unknown
}
export type Field = keyof Content
const fields = ['name', 'description', 'filter', 'tz'] as const satisfies Field[]

export function contentOf({
  name,
  description,
  tz,
  filter,
}: Pick<Segment, 'name' | 'description' | 'tz' | 'filter'>): Content {
  return { name: name ?? '', description: description ?? '', tz: tz ?? 'UTC', filter }
}

export function bodyOf({ name, description, tz, filter }: Content): SegmentWrite {
  return {
    name,
    ...(description.trim() !== '' && { description }),
    filter: filter as Filter,
    ...(tz !== 'UTC' && { tz }),
  }
}

export function isSame(one: Content, other: Content, among: readonly Field[] = fields): boolean {
  return among.every((field) => sameJson(one[field], other[field]))
}

export interface Merge {
  /** Mine on top of theirs; where both wrote, mine. */
  readonly merged: Content
  /** Written by both, and not the same. */
  readonly conflicts: readonly Field[]
  /** Written by them alone. */
  readonly theirs: readonly Field[]
}

/** Two edits of the same reading. */
export function mergeContent(base: Content, mine: Content, now: Content): Merge {
  const differs = (one: Content, other: Content) => fields.filter((field) => !isSame(one, other, [field]))
  const my = differs(base, mine)
  const their = differs(base, now)
  return {
    merged: { ...now, ...Object.fromEntries(my.map((field) => [field, mine[field]])) },
    conflicts: my.filter((field) => their.includes(field) && !isSame(mine, now, [field])),
    theirs: their.filter((field) => !my.includes(field)),
  }
}
