import {
  type Filter,
  filter as filterSchema,
  JsonNumber,
  operandOf,
  type ProblemError,
  userFields,
} from '#contract/index.ts'
import { pointerOf, stepsOf } from '../../failures/pointers.ts'
import { filterBuilderText, segmentFormText } from '../../../messages/index.ts'
import { isBlank, valueOf } from '../../values/draft.ts'
import { inputType, newGroup, type Node, type Operand, type PropertyNode } from './nodes.ts'
import { fromFilter, keepNodes, type Place, placeOf, toFilter } from './filter-codec.ts'

/**
 * A filter that is written in two ways, with the builder and as JSON, which say the same: a change in the builder
 * writes the JSON anew, and JSON that the builder can show is shown there as it is typed.
 */
export interface FilterDraft {
  /** Tree in the builder. While `json` is something that the builder cannot show, the last tree that it could. */
  readonly root: Node
  /** JSON as typed; absent once the builder has changed the filter. */
  readonly json?: string
}

/** Drafts a stored filter for the builder; one in a grammar that the builder does not know is kept as JSON. */
export function newFilterDraft(filter: unknown = { all: [] }): FilterDraft {
  const read = filterSchema.safeParse(filter)
  if (read.success) return { root: fromFilter(read.data) }
  return { root: newGroup('all'), json: JSON.stringify(filter, null, 2) ?? '' }
}

/** The JSON to show beside the builder. */
export function jsonOf({ root, json }: FilterDraft): string {
  return json ?? JSON.stringify(toFilter(root), null, 2)
}

/** The builder follows as soon as it can; what is the same there stays as it is. */
export function withJson(draft: FilterDraft, json: string): FilterDraft {
  const filter = filterIn(json)
  return { root: filter ? keepNodes(draft.root, fromFilter(filter)) : draft.root, json }
}

/** Whether the JSON says something that the builder does not. */
export function isJsonOnly({ json }: FilterDraft): boolean {
  return json !== undefined && filterIn(json) === undefined
}

function filterIn(json: string): Filter | undefined {
  const read = readJson(json)
  return read.notJson === undefined ? filterSchema.safeParse(read.value).data : undefined
}

type ReadJson = { readonly value: unknown; readonly notJson?: never } | { readonly notJson: string }

/** Numbers that a double does not keep come as `JsonNumber`, where the browser tells how they are spelled. */
function readJson(json: string): ReadJson {
  const exact = (_key: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
      ? new JsonNumber(context.source)
      : value
  try {
    return { value: JSON.parse(json, exact) as unknown }
  } catch (error) {
    // Chromium alone gives a position. It is cut off, since the console counts the line itself in every browser.
    return { notJson: error instanceof Error ? error.message.replace(/ in JSON at position.*$/s, '') : '' }
  }
}

/**
 * Returns the filter to send. JSON that the contract's grammar does not cover is sent unchanged: another service may
 * accept it, and ours reports the errors.
 */
export function filterOfDraft(draft: FilterDraft): Filter {
  const read = filterSchema.safeParse(unfinishedFilterOf(draft))
  return read.success ? read.data : (JSON.parse(jsonOf(draft)) as Filter)
}

/** The filter as far as it is written; `undefined` where there is no telling. */
export function unfinishedFilterOf({ root, json }: FilterDraft): unknown {
  return json === undefined ? toFilter(root) : (readJson(json) as { value?: unknown }).value
}

/** Something that is wrong, where it stands: in the builder at a place, in JSON at a pointer. */
export interface FilterIssue {
  readonly place: Place
  readonly pointer: string
  readonly detail: string
}

/** `unreadable`: what was typed as JSON is none. */
export function issuesOf(draft: FilterDraft): {
  readonly unreadable?: string
  readonly issues: readonly FilterIssue[]
} {
  const { root, json } = draft
  const read: ReadJson = json === undefined ? { value: toFilter(root) } : readJson(json)
  if (read.notJson !== undefined)
    return { unreadable: segmentFormText.notJson({ reason: read.notJson }), issues: [] }
  const { error } = filterSchema.safeParse(read.value)
  const issues = error?.issues ?? []
  return {
    issues: issues.map(({ path, message }) => {
      const place = placeOf(root, path)
      // The builder's own wording refers to its controls, which do not show this JSON.
      const own = json === undefined ? ownWords(root, place) : undefined
      return { place, pointer: pointerOf(path), detail: own ?? message }
    }),
  }
}

/** Converts the service's errors, by their pointers into the body, to issues of the filter. */
export function refusalsOf(root: Node, errors: readonly ProblemError[]): readonly FilterIssue[] {
  return errors.flatMap(({ pointer, detail }) => {
    const [member, ...path] = stepsOf(pointer)
    return member === 'filter' ? [{ place: placeOf(root, path), pointer: pointerOf(path), detail }] : []
  })
}

export function nodeById(root: Node, id: string): Node | PropertyNode | undefined {
  if (root.id === id) return root
  if (root.kind === 'entity') return root.properties.find((property) => property.id === id)
  if (root.kind !== 'group') return undefined
  for (const part of root.parts) {
    const found = nodeById(part, id)
    if (found) return found
  }
  return undefined
}

/** The schema speaks of JSON; somebody with a form in front of him is told what to do there. */
function ownWords(root: Node, { id, control, path }: Place): string | undefined {
  const node = nodeById(root, id)
  if (!node) return undefined
  if (control === 'node' && node.kind === 'group' && node.match === 'not' && node.parts.length === 0)
    return filterBuilderText.issue.group
  if (control === 'segment') return filterBuilderText.issue.segment
  if (control === 'key' && node.kind === 'property' && node.key === '') return filterBuilderText.issue.key
  if (control !== 'value' || (node.kind !== 'user' && node.kind !== 'property')) return undefined
  const { comparison } = node
  const operand = operandOf(comparison.op)
  if (operand === 'fragment') return comparison.fragment === '' ? filterBuilderText.issue.text : undefined
  if (operand === 'duration')
    return comparison.duration.amount.trim() === '' ? filterBuilderText.issue.duration : undefined
  const type = node.kind === 'user' ? userFields[node.field] : node.type
  const value = comparison.values[operand === 'value' ? 0 : Number(path[0])]
  return value && wordsFor(value, inputType(type, value))
}

function wordsFor({ form, draft, duration }: Operand, type: string): string | undefined {
  if (form === 'ago' || form === 'ahead')
    return duration.amount.trim() === '' ? filterBuilderText.issue.duration : undefined
  if (draft.unfit === undefined && isBlank(draft)) return filterBuilderText.issue.value
  return valueOf(type, draft).issues?.[0]?.detail
}
