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
 * Draft of a filter that can be edited in the builder and as JSON, kept in sync: a change in the builder rewrites the
 * JSON, and the builder shows the typed JSON whenever it can.
 */
export interface FilterDraft {
  /** Tree in the builder. While the builder cannot show `json`, the last tree that it could show. */
  readonly root: Node
  /** JSON as typed or stored; undefined if `root` is the filter. */
  readonly json?: string
}

/** Creates a draft of a stored filter. A filter outside the builder's grammar is kept as JSON. */
export function newFilterDraft(filter: unknown = { all: [] }): FilterDraft {
  const read = filterSchema.safeParse(filter)
  if (read.success) return { root: fromFilter(read.data) }
  return { root: newGroup('all'), json: JSON.stringify(filter, null, 2) ?? '' }
}

/** Returns the JSON of the draft, as typed or generated from the builder's tree. */
export function jsonOf({ root, json }: FilterDraft): string {
  return json ?? JSON.stringify(toFilter(root), null, 2)
}

/**
 * Applies typed JSON to the draft. The builder's tree follows once the JSON is a filter that it can show, and keeps
 * its unchanged nodes.
 */
export function withJson(draft: FilterDraft, json: string): FilterDraft {
  const filter = filterIn(json)
  return { root: filter ? keepNodes(draft.root, fromFilter(filter)) : draft.root, json }
}

/** Whether the JSON holds a filter that the builder cannot show. */
export function isJsonOnly({ json }: FilterDraft): boolean {
  return json !== undefined && filterIn(json) === undefined
}

function filterIn(json: string): Filter | undefined {
  const read = readJson(json)
  return read.notJson === undefined ? filterSchema.safeParse(read.value).data : undefined
}

type ReadJson = { readonly value: unknown; readonly notJson?: never } | { readonly notJson: string }

/**
 * Parses JSON. Numbers that JavaScript would write differently, such as those with too many digits for a double, become
 * a `JsonNumber` if the browser exposes their source text.
 */
function readJson(json: string): ReadJson {
  const exact = (_key: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
      ? new JsonNumber(context.source)
      : value
  try {
    return { value: JSON.parse(json, exact) as unknown }
  } catch (error) {
    // The position at the end of Chromium's message is cut off, since the console shows the line itself.
    return { notJson: error instanceof Error ? error.message.replace(/ in JSON at position.*$/s, '') : '' }
  }
}

/**
 * Returns the filter to send. JSON that the contract's grammar does not cover is sent as `JSON.parse` reads it:
 * another service may accept it, and ours reports the errors.
 */
export function filterOfDraft(draft: FilterDraft): Filter {
  const read = filterSchema.safeParse(unfinishedFilterOf(draft))
  return read.success ? read.data : (JSON.parse(jsonOf(draft)) as Filter)
}

/** Returns the filter as far as it is written; `undefined` if the JSON cannot be parsed. */
export function unfinishedFilterOf({ root, json }: FilterDraft): unknown {
  return json === undefined ? toFilter(root) : (readJson(json) as { value?: unknown }).value
}

export interface FilterIssue {
  readonly place: Place
  readonly pointer: string
  readonly detail: string
}

/** Returns the problems of a draft. `unreadable` is set if the text is not valid JSON. */
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

/** Converts the service's errors to issues of the filter, by their pointers into the request body. */
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

/**
 * Returns the builder's own message for an issue, if there is one. The schema's messages are about JSON, not about
 * form controls.
 */
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
