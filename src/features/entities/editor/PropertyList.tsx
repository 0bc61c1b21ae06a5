import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import {
  type ComponentType,
  type CSSProperties,
  memo,
  type RefObject,
  startTransition,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'

import { dataTypes, type KnownKey } from '#contract/index.ts'
import { DefinedValue } from '../../../domain/definitions/DefinedValue.tsx'
import { RowCells, RowFrame } from '../../../domain/known-properties/RowFrame.tsx'
import { propertyLabel } from '../../../domain/labels.ts'
import { dataTypesQuery } from '../../../domain/queries/entities.ts'
import { dataTypeName } from '../../../domain/values/data-type-name.ts'
import { Mask } from '../../../domain/values/Mask.tsx'
import { entityText } from '../../../messages/index.ts'
import { listNames } from '../../../messages/listed.ts'
import type { Action, EntityDraft } from '../draft/entity-draft.ts'
import { type DraftRow, isMasked, isTouched, newRowId, numberOf, showsMask } from '../draft/row.ts'
import type { EntitySave } from '../saving/use-entity-save.ts'
import { Revealable, type RevealableProps } from '../sensitive/AskDialog.tsx'
import { FindBar, useFinding } from './FindBar.tsx'
import { frameOf, PropertyRow, type PropertyRowProps, type RowFocus } from './PropertyRow.tsx'
import rowClasses from '../../../domain/known-properties/RowFrame.module.css'
import classes from './PropertyList.module.css'

const { form: formText } = entityText

export interface TemplatesProps {
  readonly type: string
  readonly onChoose: (keys: readonly KnownKey[]) => void
}

interface PropertyListProps
  extends
    Omit<RevealableProps, 'children'>,
    Pick<PropertyRowProps, 'known' | 'denied' | 'onHistory'>,
    Pick<BlockProps, 'repeated' | 'focusRow'> {
  /** Renders the choice of initial keys. */
  readonly Templates: ComponentType<TemplatesProps> | undefined
  readonly draft: EntityDraft
  readonly saving: EntitySave
  readonly dispatch: (action: Action) => void
  readonly setFocusRow: (focus: RowFocus) => void
}

/** Properties of an entity in a form, with what is said of all of them. */
export function PropertyList(props: PropertyListProps) {
  const { draft, saving, denied, repeated, Templates, focusRow, dispatch, setFocusRow } = props
  const { issues, tried, refused } = saving
  const addButton = useRef<HTMLButtonElement>(null)
  const { data: named = dataTypes } = useQuery(dataTypesQuery())
  const types = useMemo(() => named.map((type) => ({ value: type, label: dataTypeName(type) })), [named])
  const takenKeys = useTakenKeys(draft)
  const act = useCallback(
    (action: Action) => {
      dispatch(action)
      // The pressed button disappears with its row. A row that stays, marked as removed, takes the focus itself.
      if (action.do === 'remove') addButton.current?.focus()
    },
    [dispatch],
  )
  const found = { rows: draft.rows, issues: issues.rows, refused: refused.rows, showIssues: tried }
  const finding = useFinding({ ...found, focusId: focusRow?.rowId })
  const blocks = useBlocks(finding.rows)
  return (
    <>
      <UnchangeableNotes {...{ draft, denied, repeated }} />
      {Templates && <Templates type={draft.type} onChoose={(keys) => dispatch({ do: 'offer keys', keys })} />}
      {finding.isOffered && <FindBar finding={finding} all={draft.rows.length} />}
      {finding.rows.length > 0 && (
        <div className={rowClasses.head} aria-hidden>
          <span>{formText.key}</span>
          <span>{formText.propertyType}</span>
          <span>{formText.value}</span>
        </div>
      )}
      <Revealable {...props}>
        {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- <ul> allows no blocks between itself and its rows */}
        <div role="list" aria-label={formText.list}>
          {blocks.map(({ id, rows, eager, drawn }) => (
            <Block
              key={id}
              {...{ rows, eager, drawn }}
              {...{ types, takenKeys, denied, repeated, focusRow }}
              known={props.known}
              issues={found.issues}
              refused={found.refused}
              // Without issues the flag is false, so that the memoised blocks need not render again.
              showIssues={tried && found.issues.size > 0}
              onAct={act}
              onHistory={props.onHistory}
            />
          ))}
        </div>
      </Revealable>
      {finding.isEmpty && <p className={classes.none}>{entityText.find.none}</p>}
      {draft.rows.length === 0 && <PropertiesNote>{formText.none}</PropertiesNote>}
      {denied.write === undefined && (
        <Button
          ref={addButton}
          data-adds-property
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          my="xs"
          onClick={() => {
            const id = newRowId()
            dispatch({ do: 'add', id })
            setFocusRow({ rowId: id, on: 'key' })
          }}
        >
          {formText.addProperty}
        </Button>
      )}
      {draft.rows.some((row) => showsMask(row) && !isMasked(row)) && (
        <PropertiesNote>{formText.onScreenOnly}</PropertiesNote>
      )}
    </>
  )
}

function PropertiesNote({ children }: { readonly children: string }) {
  return (
    <Text size="xs" py="xs" c="dimmed">
      {children}
    </Text>
  )
}

/** Notes above the properties that say why they, or some of them, cannot be changed. */
function UnchangeableNotes(props: Pick<PropertyListProps, 'draft' | 'denied' | 'repeated'>) {
  const { draft, denied, repeated } = props
  return (
    <>
      {denied.write !== undefined && (
        <PropertiesNote>{`${formText.readOnly} ${denied.write}`}</PropertiesNote>
      )}
      {repeated.size > 0 && (
        <Text size="sm" py="xs" c="var(--ds-changed)">
          {formText.repeated({
            properties: listNames([...repeated].map((key) => propertyLabel(draft.type, key))),
            count: repeated.size,
          })}
        </Text>
      )}
    </>
  )
}

/** Returns a function with a stable identity, so that typing does not render every row again. */
function useTakenKeys(draft: EntityDraft): PropertyRowProps['takenKeys'] {
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  }, [draft])
  return useCallback(
    (rowId) =>
      new Set(
        latest.current.rows.flatMap(({ id, key, removed }) =>
          id === rowId || removed === true || key === '' ? [] : [key],
        ),
      ),
    [],
  )
}

/** Number of rows that render together, so that typing in one of 500 rows does not render all others. */
const blockSize = 4

/**
 * Groups rows into blocks by the number in their id. The number is stable when other rows are added, removed or
 * filtered out; a row that moved to another block would be remounted and lose the focus.
 */
function useBlocks(rows: readonly DraftRow[]) {
  const [firstNumber] = useState(() => (rows[0] ? numberOf(rows[0]) : 0))
  // Estimated number of rows that fit into the window.
  const [eagerRows] = useState(() => Math.ceil(innerHeight / 41) - 8)
  // Rows beyond the window are drawn after those in it.
  const isDrawn = useDeferredValue(true, false)
  const blocks: { id: string; number: number; eager: boolean; drawn: boolean; rows: DraftRow[] }[] = []
  const counts = new Map<number, number>()
  for (const [from, row] of rows.entries()) {
    const number = Math.floor((numberOf(row) - firstNumber) / blockSize)
    const last = blocks.at(-1)
    if (last?.number === number) last.rows.push(row)
    else {
      const turn = counts.get(number) ?? 0
      counts.set(number, turn + 1)
      const eager = from < eagerRows
      blocks.push({ id: `${number}.${turn}`, number, eager, drawn: eager || isDrawn, rows: [row] })
    }
  }
  return blocks
}

type OfEachRow = 'row' | 'issues' | 'refused' | 'repeated' | 'focus'

interface BlockProps extends Omit<PropertyRowProps, OfEachRow> {
  readonly rows: readonly DraftRow[]
  /** Issues by row id, like `refused`. */
  readonly issues: EntitySave['issues']['rows']
  readonly refused: EntitySave['refused']['rows']
  /** Keys that occur more than once in the loaded entity. */
  readonly repeated: ReadonlySet<string>
  readonly focusRow: RowFocus | undefined
  /** Whether the block is expected in view before any scrolling. */
  readonly eager: boolean
  /** Whether the block is rendered at least as text, so that the page can be read and searched. */
  readonly drawn: boolean
}

/** Block of adjacent rows: inputs near the viewport, text elsewhere. The browser skips distant blocks. */
const Block = memo(function Block(props: BlockProps) {
  const { rows, issues, showIssues, refused, repeated, eager, drawn, focusRow, ...rest } = props
  const element = useRef<HTMLDivElement>(null)
  const isNear = useNear(element, eager)
  return (
    <div
      ref={element}
      role="presentation"
      className={classes.block}
      style={{ '--ds-rows': rows.length } as CSSProperties}
    >
      {rows.map((row) => {
        const { id, loaded } = row
        if (isNear || isTouched(row) || issues.has(id) || refused.has(id) || focusRow?.rowId === id)
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
        return drawn && <FarRow key={id} row={row} known={rest.known} />
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

/** Untouched property far from the viewport, as the record says it. */
function FarRow({ row, known }: Pick<PropertyRowProps, 'row' | 'known'>) {
  const { key, type, loaded } = row
  return (
    <RowFrame {...frameOf(row)} data-text label={key}>
      <RowCells quiet={dataTypeName(type)}>
        {showsMask(row) ? (
          <Mask />
        ) : (
          <DefinedValue
            property={known.properties.find(({ name }) => name === key)}
            type={type}
            value={loaded?.value}
          />
        )}
      </RowCells>
    </RowFrame>
  )
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
