import { useDeferredValue, useMemo, useState } from 'react'

import { rawText } from '#contract/reading/written.ts'
import type { RowIssues } from '../../../domain/failures/pointers.ts'
import { dataTypeName } from '../../../domain/values/data-type-name.ts'
import { draftOfRow, showsMask, isSecret, isTouched, loadedDraft, type DraftRow } from '../draft/row.ts'
import type { RowFocus } from './row-parts.tsx'

/** Number of properties above which the search bar is shown. */
const fewRows = 12

/** Filter of the list: properties with unsaved changes, or with issues. */
export type Only = 'changed' | 'problems'

export interface FindableRows {
  readonly rows: readonly DraftRow[]
  /** Issues by row id, like `refused`. */
  readonly issues: ReadonlyMap<string, RowIssues>
  readonly refused: ReadonlyMap<string, RowIssues>
  readonly showIssues: boolean
  readonly focusRow: RowFocus | undefined
}

/** Filters the rows to show. A match stays while it is edited; a row that needs attention is always shown. */
export function useFinding(props: FindableRows) {
  const { rows, issues, refused, showIssues, focusRow } = props
  const [query, setQuery] = useState('')
  const [only, setOnly] = useState<Only>()
  const text = useDeferredValue(query).trim().toLowerCase()
  const isAll = text === '' && only === undefined
  const found = useMemo(() => ({ text, only, byId: new Map<string, boolean>() }), [text, only])
  const isFound = (row: DraftRow): boolean => {
    const known = found.byId.get(row.id)
    if (known !== undefined) return known
    const isWrong = issues.has(row.id) || refused.has(row.id)
    const is = isOfInterest(row, found.only, isWrong) && holds(row, found.text)
    found.byId.set(row.id, is)
    return is
  }
  const isNeeded = (row: DraftRow) =>
    !row.loaded ||
    row.id === focusRow?.rowId ||
    refused.has(row.id) ||
    (showIssues && issues.has(row.id)) ||
    row.contested
  return {
    isOffered: rows.length > fewRows || !isAll,
    rows: isAll ? rows : rows.filter((row) => isNeeded(row) || isFound(row)),
    query,
    only,
    setQuery,
    setOnly,
  }
}

export type Finding = ReturnType<typeof useFinding>

function isOfInterest(row: DraftRow, only: Only | undefined, isWrong: boolean): boolean {
  if (only === 'changed') return isTouched(row)
  return only === undefined || isWrong || (!showsMask(row) && loadedDraft(row).unfit !== undefined)
}

/** Searches the visible text of a row; a masked value matches nothing. */
function holds(row: DraftRow, text: string): boolean {
  return (
    text === '' ||
    [row.key, dataTypeName(row.type), ...shownTexts(row)].some((each) => each.toLowerCase().includes(text))
  )
}

function shownTexts(row: DraftRow): readonly string[] {
  if (isSecret(row) || row.removed === true) return []
  const { text, currency = '', entity = '', statusDate = '', expires = '' } = draftOfRow(row)
  return [text, currency, entity, statusDate, expires]
}

/** Returns the parts of a value as texts, without the names of the parts. */
export function textsOf(value: unknown): readonly string[] {
  if (value === null || value === undefined) return []
  return typeof value === 'object' && !Array.isArray(value)
    ? Object.values(value).map(rawText)
    : [rawText(value)]
}
