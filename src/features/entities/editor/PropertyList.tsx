import { Button, Text } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import {
  type CSSProperties,
  memo,
  type RefObject,
  startTransition,
  use,
  useEffect,
  useRef,
  useState,
} from 'react'

import { useDenied } from '../../../auth/use-session.ts'
import { RowCells, RowFrame } from '../../../domain/known-properties/RowFrame.tsx'
import { dataTypeName } from '../../../domain/values/data-type-name.ts'
import { Mask } from '../../../domain/values/Mask.tsx'
import { SensitiveMark } from '../../../domain/values/SensitiveMark.tsx'
import { useFocusKept } from '../../../domain/values/value-focus.ts'
import { entityText } from '../../../messages/index.ts'
import { Announced } from '../../../ui/AnnouncedPart.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { useLabel } from '../draft/entity-type.ts'
import { type DraftRow, showsMask, isTouched, numberOf } from '../draft/row.ts'
import { HistoryButton } from '../history/use-history.tsx'
import { RowValue } from '../row/RowValue.tsx'
import { RevealContext } from '../sensitive/reveal.ts'
import { EditRow } from './EditRow.tsx'
import { type FindableRows, type Finding, type Only, textsOf, useFinding } from './finding.ts'
import { KnownContext } from './KeyField.tsx'
import { ConflictNotice, type PropertyRowProps } from './row-parts.tsx'
import rowClasses from '../../../domain/known-properties/RowFrame.module.css'
import classes from './PropertyList.module.css'

/** Row of one property: editable, read-only, or marked as removed. */
const PropertyRow = memo(function PropertyRow(props: Omit<PropertyRowProps, 'frame'>) {
  const { row, denied, repeated } = props
  const element = useRef<HTMLDivElement>(null)
  const focusKept = useFocusKept(element)
  // Hiding a value beside its replacement removes the button that has the focus.
  use(RevealContext)
  const frame = {
    ...frameOf(row),
    ...focusKept,
    ref: element,
    'data-state': row.state,
  }
  const isText = denied.write !== undefined || repeated || row.state === 'removed'
  return isText ? <TextRow {...props} frame={frame} /> : <EditRow {...props} frame={frame} />
})

const frameOf = (row: DraftRow) => ({
  place: 'form' as const,
  // Not an <li>, since a <ul> allows no blocks between itself and its rows.
  role: 'listitem',
  'data-sensitive': row.sensitive || row.loaded?.sensitive === true || undefined,
})

/** Untouched property far from the viewport, reduced to plain text. */
function FarRow({ row }: { readonly row: DraftRow }) {
  return (
    <RowFrame {...frameOf(row)} data-text label={row.key}>
      <RowCells quiet={dataTypeName(row.type)}>
        {showsMask(row) ? <Mask /> : textsOf(row.loaded?.value).join(' ')}
      </RowCells>
    </RowFrame>
  )
}

/** Property as text: one that cannot be edited, or one that is marked as removed. */
function TextRow(props: PropertyRowProps) {
  const { frame, row, repeated, denied, onHistory, onAct } = props
  const { key, type } = row.loaded ?? row
  const label = useLabel()
  const { properties } = use(KnownContext)
  const isRemoved = row.state === 'removed'
  const Name = isRemoved ? 's' : 'span'
  return (
    <RowFrame
      {...frame}
      data-text
      label={
        <>
          <Name>{key}</Name> {row.sensitive && !isRemoved && <SensitiveMark />}
          {repeated && (
            <Text size="xs" c="dimmed" ff="text">
              {entityText.form.repeatedReason}
            </Text>
          )}
        </>
      }
    >
      <RowCells
        quiet={<Name>{dataTypeName(type)}</Name>}
        actions={
          isRemoved ? (
            denied.write === undefined && (
              <IconButton
                // The pressed remove button is gone; this button takes its place and the focus.
                ref={takeFocus}
                aria-label={entityText.form.undoRemoval({ label: label(key) })}
                hinted
                onClick={() => onAct({ do: 'undo', id: row.id })}
              >
                <IconArrowBackUp size={16} stroke={1.75} />
              </IconButton>
            )
          ) : (
            <HistoryButton about={key} onOpen={onHistory} />
          )
        }
      >
        {isRemoved ? (
          entityText.form.removed
        ) : (
          <RowValue {...props} property={properties.find(({ name }) => name === key)} />
        )}
        {isRemoved && <ConflictNotice row={row} />}
      </RowCells>
    </RowFrame>
  )
}

function takeFocus(element: HTMLElement | null) {
  element?.focus()
}

type OfEachRow = 'frame' | 'row' | 'issues' | 'refused' | 'repeated' | 'focus'

export interface PropertyListProps extends Omit<PropertyRowProps, OfEachRow>, FindableRows {
  readonly repeated: ReadonlySet<string>
}

/** Number of rows that render together, so that typing in one of 500 rows does not render all others. */
const blockSize = 4
/** Rows far from the viewport are rendered as text in batches of this size, with a pause after each batch. */
const drawnAtOnce = 40
const drawPauseMs = 50

export function PropertyList(props: PropertyListProps) {
  const { rows: all, ...rest } = props
  const finding = useFinding(props)
  const { rows } = finding
  // Estimated number of rows that fit into the window.
  const [eagerRows] = useState(() => Math.ceil(innerHeight / 41) - 8)
  const [drawnRows, setDrawnRows] = useState(eagerRows)
  const [firstNumber] = useState(() => (rows[0] ? numberOf(rows[0]) : 0))
  const isDrawn = drawnRows >= all.length
  useEffect(() => {
    if (isDrawn) return
    const timer = setTimeout(() => startTransition(() => setDrawnRows(drawnRows + drawnAtOnce)), drawPauseMs)
    return () => clearTimeout(timer)
  }, [isDrawn, drawnRows])
  return (
    <>
      {finding.isOffered && <FindBar finding={finding} all={all.length} />}
      {rows.length > 0 && (
        <div className={rowClasses.head} aria-hidden>
          <span>{entityText.form.key}</span>
          <span>{entityText.form.propertyType}</span>
          <span>{entityText.form.value}</span>
        </div>
      )}
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- <ul> allows no blocks between itself and its rows */}
      <div role="list" aria-label={entityText.form.list}>
        {blocksOf(rows, firstNumber).map((block) => (
          <Block
            key={block.id}
            {...rest}
            // Without issues the flag is false, so that the memoised blocks need not render again.
            showIssues={rest.showIssues && rest.issues.size > 0}
            rows={block.rows}
            eager={block.from < eagerRows}
            drawn={block.from < drawnRows}
          />
        ))}
      </div>
      {rows.length === 0 && all.length > 0 && <p className={classes.none}>{entityText.find.none}</p>}
    </>
  )
}

interface BlockProps extends PropertyListProps {
  /** Whether the block is expected in view before any scrolling. */
  readonly eager: boolean
  /** Whether the block is rendered at least as text, so that the page can be read and searched. */
  readonly drawn: boolean
}

/** Block of adjacent rows: inputs near the viewport, text elsewhere. The browser skips distant blocks. */
const Block = memo(function Block(props: BlockProps) {
  const { rows, issues, showIssues, refused, repeated, eager, drawn, focusRow, ...rest } = props
  const element = useRef<HTMLDivElement>(null)
  const near = useNear(element, eager)
  return (
    <div
      ref={element}
      role="presentation"
      className={classes.block}
      style={{ '--ds-rows': rows.length } as CSSProperties}
    >
      {rows.map((row) => {
        const { id, loaded } = row
        if (near || isTouched(row) || issues.has(id) || refused.has(id) || focusRow?.rowId === id)
          return (
            <PropertyRow
              key={id}
              {...rest}
              row={row}
              issues={issues.get(id)}
              showIssues={showIssues && issues.has(id)}
              refused={refused.get(id)}
              repeated={loaded !== undefined && repeated.has(loaded.key)}
              focus={focusRow?.rowId === id ? focusRow : undefined}
            />
          )
        return drawn && <FarRow key={id} row={row} />
      })}
    </div>
  )
}, isSameBlock)

function isSameBlock(before: BlockProps, now: BlockProps): boolean {
  const { rows, issues, refused, ...rest } = now
  return (
    rows.length === before.rows.length &&
    rows.every(
      (row, index) =>
        row === before.rows[index] &&
        issues.get(row.id) === before.issues.get(row.id) &&
        refused.get(row.id) === before.refused.get(row.id),
    ) &&
    Object.entries(rest).every(([name, value]) => value === before[name as keyof BlockProps])
  )
}

/**
 * Groups rows into blocks by the number in their id. The number is stable when other rows are added, removed or
 * filtered out; a row that moved to another block would be remounted and lose the focus.
 */
function blocksOf(rows: readonly DraftRow[], firstNumber: number) {
  const blocks: { id: string; number: number; from: number; rows: DraftRow[] }[] = []
  const counts = new Map<number, number>()
  for (const [from, row] of rows.entries()) {
    const number = Math.floor((numberOf(row) - firstNumber) / blockSize)
    const last = blocks.at(-1)
    if (last?.number === number) last.rows.push(row)
    else {
      const turn = counts.get(number) ?? 0
      counts.set(number, turn + 1)
      blocks.push({ id: `${number}.${turn}`, number, from, rows: [row] })
    }
  }
  return blocks
}

/** Large enough that somebody tabbing through the rows reaches only rows that are already rendered as inputs. */
const margin = '120px 0px'

const nearListeners = new WeakMap<Element, (near: boolean) => void>()
let observer: IntersectionObserver | undefined

function watch(element: Element, listener: (near: boolean) => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      // Rows that scroll into view render with low priority, so that typing stays responsive.
      startTransition(() => {
        for (const { target, isIntersecting } of entries) nearListeners.get(target)?.(isIntersecting)
      })
    },
    { rootMargin: margin },
  )
  nearListeners.set(element, listener)
  observer.observe(element)
  return () => {
    nearListeners.delete(element)
    observer?.unobserve(element)
  }
}

/** Whether an element is in or near the viewport, or has the focus. `expected`: an estimate before layout. */
function useNear(element: RefObject<Element | null>, expected: boolean): boolean {
  const [near, setNear] = useState(expected)
  const [wasExpected, setWasExpected] = useState(expected)
  if (expected !== wasExpected) {
    setWasExpected(expected)
    if (expected) setNear(true)
  }
  useEffect(() => {
    const { current } = element
    if (!current) return
    return watch(current, (isNear) => setNear(isNear || current.contains(document.activeElement)))
  }, [element])
  return near
}

const findText = entityText.find

/** Search bar for the properties of a long entity. The search text may be personal data, so it is not stored. */
function FindBar({ finding, all }: { readonly finding: Finding; readonly all: number }) {
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
