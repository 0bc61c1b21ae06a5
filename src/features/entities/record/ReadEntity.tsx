import { Button } from '@mantine/core'
import { IconListDetails, IconPencil, IconPlus } from '@tabler/icons-react'
import {
  Fragment,
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Link } from 'react-router'

import type { Entity } from '#contract/index.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { DefinedValue } from '../../../domain/definitions/DefinedValue.tsx'
import { arrange, type NamedProperty } from '../../../domain/definitions/definitions.ts'
import { useDefinitions } from '../../../domain/definitions/use-definitions.ts'
import { typeWithin } from '../../../domain/labels.ts'
import { links } from '../../../domain/links.ts'
import { draftOf, retype } from '../../../domain/values/draft.ts'
import { SensitiveMark } from '../../../domain/values/SensitiveMark.tsx'
import { entityText } from '../../../messages/index.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { hint } from '../../../ui/Hint.tsx'
import { typeAheadOfPage } from '../../../ui/keys/typed-ahead.ts'
import { takeFew, showMore } from '../../../ui/show-more.ts'
import { EntityTypeContext, useLabel } from '../draft/entity-type.ts'
import { type DraftRow, showsMask, isMasked, rowOf } from '../draft/row.ts'
import { nameOf, titleOf } from '../draft/title.ts'
import { RevealDialog } from '../sensitive/AskDialog.tsx'
import { MaskedValue } from '../sensitive/MaskedValue.tsx'
import { useReveal } from '../sensitive/reveal.ts'
import { IdLink, TargetLink } from '../target/TargetLink.tsx'
import classes from './ReadEntity.module.css'

const readingText = entityText.reading

/** Number of properties shown initially. */
const fewRows = 12

export interface ReadEntityProps {
  readonly userId: string
  readonly entity: Entity
  /** Whether the entity was just saved, so that its edit link takes the focus. */
  readonly isBack: boolean
}

/** Read-only view of an entity. Each property links to its input in the editor. */
export function ReadEntity({ userId, entity, isBack }: ReadEntityProps) {
  const { id, properties } = entity
  const titleId = useId()
  const list = useRef<HTMLDivElement>(null)
  const writeDenied = useDenied('entities:write')
  const reveal = useReveal()
  const [isWhole, setWhole] = useState(false)
  const defined = useDefinitions().find(({ name }) => name === entity.type)?.properties
  const groups = useMemo(
    () =>
      arrange(
        properties.map((property) => rowOf(property)),
        defined ?? [],
      ),
    [properties, defined],
  )
  const all = groups.flatMap(({ rows }) => rows)
  const shown = new Set(isWhole ? all : takeFew(all, fewRows))
  const address = links.entity(userId, id)
  return (
    <EntityTypeContext value={entity.type}>
      <EntityHeading entity={entity} id={titleId} address={address} isBack={isBack} />
      {all.length === 0 && <p className={classes.none}>{entityText.form.none}</p>}
      <div ref={list} className={classes.columns}>
        {groups.map(({ heading, rows }, index) => {
          const shownRows = rows.filter((row) => shown.has(row))
          return (
            shownRows.length > 0 && (
              <Fragment key={heading ?? ''}>
                {heading !== undefined && (
                  <h3 id={`${titleId}-${index}`} className={classes.group} dir="auto">
                    {heading}
                  </h3>
                )}
                <dl
                  className={classes.rows}
                  aria-labelledby={heading === undefined ? titleId : `${titleId}-${index}`}
                >
                  {shownRows.map((row) => (
                    <ReadRow
                      key={row.id}
                      row={row}
                      property={defined?.find(({ name }) => name === row.key)}
                      address={writeDenied === undefined ? address : undefined}
                      reveal={reveal}
                    />
                  ))}
                </dl>
              </Fragment>
            )
          )
        })}
      </div>
      {shown.size < all.length && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => showMore(list.current, () => setWhole(true), 'dl > *')}
        >
          {readingText.showProperties({ count: all.length })}
        </Button>
      )}
      {all.some((row) => showsMask(row) && !isMasked(row)) && (
        <p className={classes.none}>{entityText.form.onScreenOnly}</p>
      )}
      {reveal.asking && <RevealDialog place={{ userId, entityId: id }} row={reveal.asking} reveal={reveal} />}
    </EntityTypeContext>
  )
}

interface EntityHeadingProps extends Pick<ReadEntityProps, 'entity' | 'isBack'> {
  /** Id of the heading element. */
  readonly id: string
  /** URL of the editor. */
  readonly address: string
}

function EntityHeading({ entity, id, address, isBack }: EntityHeadingProps) {
  const editLink = useRef<HTMLAnchorElement>(null)
  const mayWrite = useDenied('entities:write') === undefined
  const Icon = mayWrite ? IconPencil : IconListDetails
  const label = mayWrite ? readingText.editEntity : readingText.openEntity
  useEffect(() => {
    if (isBack) editLink.current?.focus({ preventScroll: true })
  }, [isBack])
  const title = titleOf(entity)
  const name = nameOf({ ...title, type: typeWithin(entity.type) })
  return (
    <div className={classes.head}>
      <h2 id={id} className={classes.title} dir="auto">
        {title.facts === ''
          ? title.type
          : entityText.named.withElements({
              facts: title.facts,
              type: <span className={classes.kind}>{title.type}</span>,
            })}
      </h2>
      <Link
        ref={editLink}
        to={address}
        state={{ openedFor: '' }}
        onClick={typeAheadOfPage}
        preventScrollReset
        className={classes.edit ?? ''}
        aria-label={label({ entity: name })}
      >
        <Icon size={14} stroke={1.75} aria-hidden />
        {mayWrite ? readingText.edit : readingText.open}
      </Link>
      {mayWrite && (
        <Link
          to={address}
          state={{ openedFor: '', adds: true }}
          onClick={typeAheadOfPage}
          preventScrollReset
          className={classes.edit ?? ''}
          aria-label={readingText.addTo({ entity: name })}
          data-adds-property
          {...hint(entityText.form.addProperty, 'a')}
        >
          <IconPlus size={16} stroke={1.75} aria-hidden />
        </Link>
      )}
    </div>
  )
}

interface ReadRowProps {
  readonly row: DraftRow
  /** Definition of its property; undefined if there is none. */
  readonly property: NamedProperty | undefined
  /** URL of the editor; undefined if the caller may not write. */
  readonly address: string | undefined
  readonly reveal: ReturnType<typeof useReveal>
}

function ReadRow({ row, property, address, reveal }: ReadRowProps) {
  const { id, key, type, loaded } = row
  const editLink = useRef<HTMLAnchorElement>(null)
  const label = useLabel()
  const masked = showsMask(row)
  const value = loaded?.value
  const hasText = !masked && value !== null && value !== undefined && value !== ''
  const edit = ({ target, currentTarget }: MouseEvent<HTMLElement>) => {
    const isControl = target instanceof Element && target.closest('a, button, input') !== null
    // A click that ends a text selection is meant to copy, not to edit.
    const isMarked =
      getSelection()?.isCollapsed === false && getSelection()?.containsNode(currentTarget, true)
    if (!isControl && isMarked !== true) editLink.current?.click()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the link within does the same by keyboard
    <div
      className={classes.row}
      data-sensitive={masked || undefined}
      data-editable={address !== undefined || undefined}
      onClick={edit}
    >
      <dt className={classes.label}>
        <span
          {...hint(property?.description === undefined ? key : `${property.description}\n${key}`)}
          data-hint-side="right"
        >
          {label(key)}
        </span>{' '}
        {masked && <SensitiveMark />}
      </dt>
      <dd className={classes.value}>
        <span className={classes.text}>
          {masked ? (
            <MaskedValue
              row={row}
              revealed={reveal.revealed?.rowId === id ? reveal.revealed : undefined}
              onReveal={reveal.reveal}
              onHide={reveal.hide}
              renderLink={(target) => <IdLink {...target} />}
            />
          ) : (
            <DefinedValue
              property={property}
              type={type}
              value={value}
              renderLink={(target) => <TargetLink {...target} />}
            />
          )}
        </span>
        <span className={classes.actions}>
          {hasText && (
            <CopyButton
              label={entityText.copyValue({ label: label(key) })}
              value={() => retype(draftOf(type, value), type, 'TEXT').text}
            />
          )}
          {address !== undefined && (
            <Link
              ref={editLink}
              to={address}
              state={{ openedFor: key }}
              onClick={typeAheadOfPage}
              preventScrollReset
              className={classes.pencil ?? ''}
              aria-label={readingText.editOf({ label: label(key) })}
              data-row
              {...hint(undefined, 'e')}
              onKeyDown={moveBetweenRows}
            >
              <IconPencil size={14} stroke={1.75} aria-hidden />
            </Link>
          )}
        </span>
      </dd>
    </div>
  )
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
