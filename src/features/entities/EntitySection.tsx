import { memo, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

import type { Entity } from '#contract/index.ts'

import classes from './EntitiesPage.module.css'
import { ReadEntity } from './ReadEntity.tsx'
import { EntityEditor } from './lazy-editor.ts'

export interface EntitySectionProps {
  readonly userId: string
  readonly entity: Entity
  /** At its own address. */
  readonly isOpened: boolean
  readonly isEdited: boolean
}

/** What a step to this page says of itself. */
interface Step {
  /** The property that the editor is opened for. */
  readonly openedFor?: string
  /** With an empty row, which takes the focus. */
  readonly adds?: boolean
  /** The entity that was just saved. */
  readonly saved?: string
}

/** An entity among the others: to read, or in its place to edit. */
export const EntitySection = memo(function EntitySection(props: EntitySectionProps) {
  const { userId, entity, isOpened, isEdited } = props
  const { openedFor, adds, saved } = (useLocation().state ?? {}) as Step
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isOpened) element.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpened])
  return (
    <section
      ref={element}
      className={classes.entity}
      data-opened={isOpened || saved === entity.id || undefined}
    >
      {isEdited && EntityEditor.isRead() ? (
        <EntityEditor userId={userId} entityId={entity.id} {...(isOpened && { openedFor, adds })} />
      ) : (
        <ReadEntity userId={userId} entity={entity} isBack={saved === entity.id} />
      )}
    </section>
  )
})
