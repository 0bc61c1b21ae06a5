import {
  type Filter,
  filter as filterSchema,
  JsonNumber,
  operandOf,
  type ProblemError,
  userFields,
} from '#contract/index.ts'
import { isBlank } from '#contract/reading/parts.ts'
import { filterBuilderText, segmentFormText } from '../../../messages/index.ts'
import { pointerOf, stepsOf } from '../../failures/pointers.ts'
import { valueOf } from '../../values/draft.ts'
import { fromFilter, keepNodes, type ControlPosition, locateControl, toFilter } from './filter-codec.ts'
import { inputType, newGroup, type Node, type Operand, type PropertyNode } from './nodes.ts'

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
export function withJson({ root }: FilterDraft, json: string): FilterDraft {
  const { filter } = checkDraft({ root, json })
  return { root: filter ? keepNodes(root, fromFilter(filter)) : root, json }
}

/** Whether the JSON holds a filter that the builder cannot show. */
export function isJsonOnly(draft: FilterDraft): boolean {
  return draft.json !== undefined && checkDraft(draft).filter === undefined
}

export interface FilterIssue {
  readonly position: ControlPosition
  readonly pointer: string
  readonly detail: string
}

export interface DraftCheck {
  /** The filter; undefined if the contract's grammar does not cover it. */
  readonly filter?: Filter | undefined
  /** The filter as far as it is written; undefined if the JSON cannot be parsed. */
  readonly written?: unknown
  /** Why the text is not valid JSON; undefined if it is. */
  readonly unreadable?: string
  readonly issues: readonly FilterIssue[]
}

export function checkDraft({ root, json }: FilterDraft): DraftCheck {
  let written: unknown
  try {
    written = json === undefined ? toFilter(root) : (JSON.parse(json, keepDigits) as unknown)
  } catch (error) {
    // The position at the end of Chromium's message is cut off, since the console shows the line itself.
    const reason = error instanceof Error ? error.message.replace(/ in JSON at position.*$/s, '') : ''
    return { unreadable: segmentFormText.notJson({ reason }), issues: [] }
  }
  const { data: filter, error } = filterSchema.safeParse(written)
  const issues = (error?.issues ?? []).map(({ path, message }) => {
    const position = locateControl(root, path)
    // The builder's own wording refers to its controls, which do not show this JSON.
    const own = json === undefined ? describeIssue(root, position) : undefined
    return { position, pointer: pointerOf(path), detail: own ?? message }
  })
  return { filter, written, issues }
}

/**
 * Reviver for numbers that JavaScript would write differently, such as those with too many digits for a double. They
 * become a `JsonNumber` if the browser exposes their source text.
 */
function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }) {
  return typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
    ? new JsonNumber(context.source)
    : value
}

/** Converts the service's errors to issues of the filter, by their pointers into the request body. */
export function refusalsOf(root: Node, errors: readonly ProblemError[]): readonly FilterIssue[] {
  return errors.flatMap(({ pointer, detail }) => {
    const [member, ...path] = stepsOf(pointer)
    return member === 'filter'
      ? [{ position: locateControl(root, path), pointer: pointerOf(path), detail }]
      : []
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
function describeIssue(root: Node, { id, control, path }: ControlPosition): string | undefined {
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
