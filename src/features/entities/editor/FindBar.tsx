import { Button } from '@mantine/core'
import { useDeferredValue, useMemo, useState } from 'react'

import { useDenied } from '../../../auth/use-session.ts'
import type { RowIssues } from '../../../domain/failures/pointers.ts'
import { dataTypeName } from '../../../domain/values/data-type-name.ts'
import { entityText } from '../../../messages/index.ts'
import { Announced } from '../../../ui/AnnouncedPart.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { draftOfRow, showsMask, isSecret, isTouched, loadedDraft, type DraftRow } from '../draft/row.ts'
import classes from './PropertyList.module.css'

const findText = entityText.find

/** Number of properties above which the search bar is shown. */
const fewRows = 12

/** Filter of the list: properties with unsaved changes, or with issues. */
type Only = 'changed' | 'problems'

interface FindableRows {
  readonly rows: readonly DraftRow[]
  /** Issues by row id, like `refused`. */
  readonly issues: ReadonlyMap<string, RowIssues>
  readonly refused: ReadonlyMap<string, RowIssues>
  readonly showIssues: boolean
  /** Id of the row that is given the focus. */
  readonly focusId: string | undefined
}

/** Filters the rows to show. A match stays while it is edited; a row that needs attention is always shown. */
export function useFinding(props: FindableRows) {
  const { rows, issues, refused, showIssues, focusId } = props
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
    row.id === focusId ||
    refused.has(row.id) ||
    (showIssues && issues.has(row.id)) ||
    row.contested
  const shown = isAll ? rows : rows.filter((row) => isNeeded(row) || isFound(row))
  return {
    isOffered: rows.length > fewRows || !isAll,
    rows: shown,
    isEmpty: shown.length === 0 && rows.length > 0,
    query,
    only,
    setQuery,
    setOnly,
  }
}

type Finding = ReturnType<typeof useFinding>

/** Search bar for the properties of a long entity. The search text may be personal data, so it is not stored. */
export function FindBar({ finding, all }: { readonly finding: Finding; readonly all: number }) {
  const { query, only, setQuery, setOnly, rows } = finding
  const mayWrite = useDenied('entities:write') === undefined
  const kind = (name: Only) => (
    <Button
      size="compact-sm"
      variant={only === name ? 'light' : 'default'}
      aria-pressed={only === name}
      onClick={() => setOnly(only === name ? undefined : name)}
    >
      {findText[name]}
    </Button>
  )
  return (
    <div className={classes.find}>
      <SearchInput
        className={classes.box ?? ''}
        aria-label={findText.label}
        placeholder={findText.placeholder}
        clearLabel={findText.clear}
        value={query}
        onChange={setQuery}
        onKeyDown={(event) => {
          // Enter in the search box must not submit the form.
          if (event.key === 'Escape' && query !== '') setQuery('')
          else if (event.key !== 'Enter') return
          event.preventDefault()
        }}
      />
      {mayWrite && kind('changed')}
      {mayWrite && kind('problems')}
      <Announced className={classes.count}>
        {query.trim() === '' && only === undefined ? '' : findText.shown({ shown: rows.length, total: all })}
      </Announced>
    </div>
  )
}

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
