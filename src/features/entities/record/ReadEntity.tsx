import { Button } from '@mantine/core'
import { IconListDetails, IconPencil, IconPlus } from '@tabler/icons-react'
import { Fragment, useEffect, useId, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'

import type { Entity } from '#contract/index.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { arrange } from '../../../domain/definitions/definitions.ts'
import { useDefinitions } from '../../../domain/definitions/use-definitions.ts'
import { propertyLabel, typeWithin, useLabels } from '../../../domain/labels.ts'
import { links } from '../../../domain/links.ts'
import { entityText } from '../../../messages/index.ts'
import { hint } from '../../../ui/Hint.tsx'
import { typeAheadOfPage } from '../../../ui/keys/typed-ahead.ts'
import { takeFew, showMore } from '../../../ui/show-more.ts'
import { keysLoadedTwice } from '../draft/entity-draft.ts'
import { EntityTypeContext } from '../draft/entity-type.ts'
import { showsMask, isMasked, rowOf } from '../draft/row.ts'
import { EntityTitle, nameOf, useTitleOf } from '../row/EntityTitle.tsx'
import { Revealable } from '../sensitive/AskDialog.tsx'
import { ReadRow } from './ReadRow.tsx'
import classes from './ReadEntity.module.css'

const readingText = entityText.reading

/** Number of properties shown initially. */
const fewRows = 12
/** Number of shown properties above which the browser draws only those in sight. */
const manyRows = 60

export interface ReadEntityProps {
  readonly userId: string
  readonly entity: Entity
  /** Whether the entity was just saved, so that its edit link takes the focus. */
  readonly isBack: boolean
}

/** Entity as it is read. Each property opens in its own row. */
export function ReadEntity({ userId, entity, isBack }: ReadEntityProps) {
  const { id, properties } = entity
  const titleId = useId()
  const list = useRef<HTMLDivElement>(null)
  const repeated = useMemo(() => keysLoadedTwice(entity), [entity])
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
      <EntityHeading {...{ userId, entity, address, isBack }} id={titleId} />
      {all.length === 0 && <p className={classes.none}>{entityText.form.none}</p>}
      <Revealable place={{ userId, entityId: id }}>
        <div ref={list} data-long={shown.size > manyRows || undefined}>
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
                        // A row that is open stays the same when the entity is read again.
                        key={repeated.has(row.key) ? row.id : row.key}
                        userId={userId}
                        entity={entity}
                        row={row}
                        isRepeated={repeated.has(row.key)}
                        property={defined?.find(({ name }) => name === row.key)}
                      />
                    ))}
                  </dl>
                </Fragment>
              )
            )
          })}
        </div>
      </Revealable>
      {shown.size < all.length && (
        <ShowAll
          userId={userId}
          variant="subtle"
          hidden={[{ entity, rows: all.slice(shown.size) }]}
          onPress={() => showMore(list.current, () => setWhole(true), 'dl > *')}
        >
          {readingText.showProperties({ count: all.length })}
        </ShowAll>
      )}
      {all.some((row) => showsMask(row) && !isMasked(row)) && (
        <p className={classes.none}>{entityText.form.onScreenOnly}</p>
      )}
    </EntityTypeContext>
  )
}

interface ShowAllProps {
  readonly userId: string
  /** Entities that are not shown whole before the press, each with the properties that are shown then, in their order. */
  readonly hidden: readonly { readonly entity: Entity; readonly rows: readonly { readonly key: string }[] }[]
  readonly variant: 'default' | 'subtle'
  readonly onPress: () => void
  readonly children: string
}

/** Button that shows all. It tells the find dialog the labels of the values that open in their place then. */
export function ShowAll({ userId, hidden, variant, onPress, children }: ShowAllProps) {
  useLabels()
  const titleOf = useTitleOf(userId)
  const mayWrite = useDenied('entities:write') === undefined
  const shows = hidden.map(({ entity, rows }) => ({
    entity: nameOf(titleOf(entity)),
    labels: rows.map(({ key }) => propertyLabel(entity.type, key)),
  }))
  return (
    <Button
      variant={variant}
      size="compact-sm"
      onClick={onPress}
      data-shows={mayWrite ? JSON.stringify(shows) : undefined}
    >
      {children}
    </Button>
  )
}

interface EntityHeadingProps extends ReadEntityProps {
  /** Id of the heading element. */
  readonly id: string
  /** URL of the editor. */
  readonly address: string
}

function EntityHeading({ userId, entity, id, address, isBack }: EntityHeadingProps) {
  const editLink = useRef<HTMLAnchorElement>(null)
  const mayWrite = useDenied('entities:write') === undefined
  const Icon = mayWrite ? IconPencil : IconListDetails
  const label = mayWrite ? readingText.editEntity : readingText.openEntity
  useEffect(() => {
    if (isBack) editLink.current?.focus({ preventScroll: true })
  }, [isBack])
  const title = useTitleOf(userId)(entity)
  const name = nameOf({ ...title, type: typeWithin(entity.type) })
  return (
    <div className={classes.head}>
      <EntityTitle title={title} id={id} />
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
