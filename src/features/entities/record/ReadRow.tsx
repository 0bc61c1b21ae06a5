import { IconPencil } from '@tabler/icons-react'
import { type KeyboardEvent, type MouseEvent, use, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'

import type { Entity } from '#contract/index.ts'
import { useDenied } from '../../../auth/use-session.ts'
import type { NamedProperty } from '../../../domain/definitions/definitions.ts'
import { RowCells, RowFrame } from '../../../domain/known-properties/RowFrame.tsx'
import { links } from '../../../domain/links.ts'
import { draftOf, retype } from '../../../domain/values/draft.ts'
import { SensitiveMark } from '../../../domain/values/SensitiveMark.tsx'
import { entityText } from '../../../messages/index.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { hint } from '../../../ui/Hint.tsx'
import { typeAheadOfPage } from '../../../ui/keys/typed-ahead.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { useLabel } from '../draft/entity-type.ts'
import { type DraftRow, showsMask } from '../draft/row.ts'
import { RowValue } from '../row/RowValue.tsx'
import { RevealContext, useSavedValue } from '../sensitive/reveal.ts'
import classes from './ReadEntity.module.css'

const OpenRow = lazyPart(async () => (await import('./OpenRow.tsx')).OpenRow)

const { editOf } = entityText.reading

interface ReadRowProps {
  readonly userId: string
  readonly entity: Entity
  readonly row: DraftRow
  /** Whether the key occurs more than once, so that only the editor can tell the properties apart. */
  readonly isRepeated: boolean
  /** Definition of its property; undefined if there is none. */
  readonly property: NamedProperty | undefined
}

/** Property as text. A press, `e` or Enter opens it in its place; one that cannot be opened alone leads to the editor. */
export function ReadRow({ userId, entity, row, isRepeated, property }: ReadRowProps) {
  const { id, key, type, loaded } = row
  const element = useRef<HTMLDivElement>(null)
  const label = useLabel()
  const masked = showsMask(row)
  const { show } = use(RevealContext)
  const { saved, keep } = useSavedValue()
  const { isOpen, open, close } = useOpening(element)
  const writeDenied = useDenied('entities:write')
  const replaceDenied = useDenied('sensitive:write')
  const mayWrite = writeDenied === undefined
  const opensHere = mayWrite && !isRepeated && !(masked && replaceDenied !== undefined)
  const value = loaded?.value
  const hasText = !masked && value !== null && value !== undefined && value !== ''
  const press = ({ target, currentTarget }: MouseEvent<HTMLElement>) => {
    const isControl = target instanceof Element && target.closest('a, button, input') !== null
    // A click that ends a text selection is meant to copy, not to edit.
    const isMarked =
      getSelection()?.isCollapsed === false && getSelection()?.containsNode(currentTarget, true)
    if (!isControl && isMarked !== true) rowControl(currentTarget)?.click()
  }
  return (
    <RowFrame
      place="record"
      ref={element}
      data-sensitive={masked || undefined}
      data-editable={(mayWrite && !isOpen) || undefined}
      data-open={isOpen || undefined}
      // The button within does the same by keyboard.
      onClick={isOpen ? undefined : press}
      onPointerEnter={opensHere ? OpenRow.prefetch : undefined}
      label={
        <>
          <span
            {...hint(property?.description === undefined ? key : `${property.description}\n${key}`)}
            data-hint-side="right"
          >
            {label(key)}
          </span>{' '}
          {masked && <SensitiveMark />}
        </>
      }
    >
      {isOpen ? (
        <OpenRow {...{ userId, entity, property }} about={key} onClose={close} onSensitiveSaved={keep} />
      ) : (
        <RowCells
          actions={
            <>
              {hasText && (
                <CopyButton
                  label={entityText.copyValue({ label: label(key) })}
                  value={() => retype(draftOf(type, value), type, 'TEXT').text}
                />
              )}
              {mayWrite && (
                <Pencil
                  label={label(key)}
                  onOpen={opensHere ? open : undefined}
                  address={links.entity(userId, entity.id)}
                  about={key}
                />
              )}
            </>
          }
        >
          <RowValue {...{ row, property }} onShowSaved={saved && (() => show(id, saved))} />
        </RowCells>
      )}
    </RowFrame>
  )
}

interface PencilProps {
  /** Label of the property. */
  readonly label: string
  /** Opens the row; undefined if the editor is opened instead. */
  readonly onOpen: (() => void) | undefined
  /** URL of the editor. */
  readonly address: string
  readonly about: string
}

function Pencil({ label, onOpen, address, about }: PencilProps) {
  const shared = {
    className: classes.pencil ?? '',
    'aria-label': editOf({ label }),
    'data-row': true,
    'data-edits': label,
    ...hint(undefined, 'e'),
    // The value of the next row is directly below.
    'data-hint-side': 'right',
    onKeyDown: moveBetweenRows,
  }
  const icon = <IconPencil size={14} stroke={1.75} aria-hidden />
  return onOpen ? (
    <button type="button" {...shared} onClick={onOpen} onFocus={OpenRow.prefetch}>
      {icon}
    </button>
  ) : (
    <Link to={address} state={{ openedFor: about }} onClick={typeAheadOfPage} preventScrollReset {...shared}>
      {icon}
    </Link>
  )
}

/** Opens and closes a row, and moves the focus to where the eyes are then. */
function useOpening(row: { readonly current: HTMLElement | null }) {
  const [isOpen, setOpen] = useState(false)
  const closed = useRef<'row' | 'on' | 'left'>('left')
  useEffect(() => {
    if (isOpen || closed.current === 'left') return
    const next = closed.current === 'on' ? rowAfter(row.current) : undefined
    closed.current = 'left'
    const control = rowControl(next ?? row.current)
    control?.focus()
    // The editor of a whole entity is not what Tab asks for.
    if (next && control?.matches('button') === true) control.click()
  }, [isOpen, row])
  return {
    isOpen,
    open: () => OpenRow.whenReadTyping(() => setOpen(true)),
    close: (to: 'row' | 'on' | 'left') => {
      closed.current = to
      setOpen(false)
    },
  }
}

const rowControl = (row: Element | null) => row?.querySelector<HTMLElement>('[data-row]')

function rowAfter(row: Element | null): Element | undefined {
  const rows = [...document.querySelectorAll('#main dl > div')]
  return rows.slice(row ? rows.indexOf(row) + 1 : rows.length).find(rowControl)
}

/** Moves the focus between rows with the arrow keys, also from one entity to another. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>) {
  const { key, currentTarget, altKey, ctrlKey, metaKey, shiftKey } = event
  if (altKey || ctrlKey || metaKey || shiftKey) return
  const step = { ArrowDown: 1, ArrowUp: -1 }[key]
  if (step === undefined) return
  const rows = [...document.querySelectorAll<HTMLElement>('#main [data-row]')]
  const next = rows[rows.indexOf(currentTarget) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}
