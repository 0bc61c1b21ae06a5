import { Button, Text } from '@mantine/core'
import { IconPlus, IconStack2 } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { memo, use, useEffect, useRef, useState } from 'react'
import { Link, Outlet, useLocation, useMatch, useParams } from 'react-router'

import type { Entity } from '#contract/index.ts'
import { pages } from '#contract/page-paths.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { arrange } from '../../../domain/definitions/definitions.ts'
import { useDefinitions } from '../../../domain/definitions/use-definitions.ts'
import { RouteFailure } from '../../../domain/failures/InlineFailure.tsx'
import { useLabels } from '../../../domain/labels.ts'
import { links } from '../../../domain/links.ts'
import { entitiesQuery } from '../../../domain/queries/entities.ts'
import { KeptEditsContext } from '../../../domain/writing/kept-edits.tsx'
import { entityText } from '../../../messages/index.ts'
import { DisabledReason } from '../../../ui/DisabledReason.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { takeFew, showMore } from '../../../ui/show-more.ts'
import { isMasked } from '../draft/row.ts'
import { type GivenReasons, GivenReasonsContext, useMaskedAccess } from '../sensitive/reveal.ts'
import { EntityEditor } from './lazy-editor.ts'
import { ReadEntity, ShowAll } from './ReadEntity.tsx'
import classes from './EntitiesPage.module.css'

/** Number of entities shown initially. */
const fewEntities = 5

/** Lists the entities of a user. The opened one and those with unsaved edits show their form, the others plain text. */
export function EntitiesPage() {
  const { userId = '', entityId } = useParams()
  const { data: all } = useSuspenseQuery(entitiesQuery(userId))
  const { ids: unsaved } = use(KeptEditsContext)
  const [reasons] = useState<GivenReasons>(() => new Map())
  const end = useRef<HTMLDivElement>(null)
  const [areAllShown, setAllShown] = useState(false)
  const isOpen = useMatch(pages.entity.path) !== null
  const types = useDefinitions()
  if (all.length === 0 && !isOpen)
    return (
      <EmptyState
        icon={<IconStack2 size={28} stroke={1.5} />}
        title={entityText.empty.title}
        action={<AddEntity userId={userId} filled />}
      >
        {entityText.empty.body}
      </EmptyState>
    )
  const isEdited = (id: string) => id === entityId || unsaved.has(id)
  const few = new Set(areAllShown ? all : takeFew(all, fewEntities))
  const some = all.filter((entity) => few.has(entity) || isEdited(entity.id))
  const shown = some.length + 1 < all.length ? some : all
  const rowsOf = ({ type, properties }: Entity) =>
    arrange(properties, types.find(({ name }) => name === type)?.properties ?? []).flatMap(({ rows }) => rows)
  return (
    <GivenReasonsContext value={reasons}>
      <Outlet />
      {shown.map((entity) => (
        <EntitySection
          key={entity.id}
          userId={userId}
          entity={entity}
          isOpened={entity.id === entityId}
          isEdited={isEdited(entity.id)}
        />
      ))}
      <div ref={end} className={classes.more}>
        {shown.length < all.length && (
          <ShowAll
            userId={userId}
            variant="default"
            hidden={all
              .filter((entity) => !shown.includes(entity))
              .map((entity) => ({ entity, rows: rowsOf(entity) }))}
            onPress={() => showMore(end.current?.parentElement, () => setAllShown(true))}
          >
            {entityText.reading.showEntities({ count: all.length })}
          </ShowAll>
        )}
        <AddEntity userId={userId} />
      </div>
      <MaskedNote entities={shown} />
    </GivenReasonsContext>
  )
}

/** Note below the entities that says what a reader who may not see hidden values can do. */
function MaskedNote({ entities }: { readonly entities: readonly Entity[] }) {
  const { mayReveal, mayCheck } = useMaskedAccess()
  if (
    mayReveal ||
    !mayCheck ||
    !entities.some(({ properties }) => properties.some((loaded) => isMasked({ loaded })))
  )
    return null
  return (
    <Text size="sm" c="dimmed" pt={8}>
      {entityText.maskedNote}
    </Text>
  )
}

function AddEntity({ userId, filled = false }: { readonly userId: string; readonly filled?: boolean }) {
  const denied = useDenied('entities:write')
  return (
    <DisabledReason reason={denied}>
      <Button
        component={Link}
        to={links.newEntity(userId)}
        preventScrollReset={!filled}
        variant={filled ? 'filled' : 'subtle'}
        size={filled ? 'sm' : 'compact-sm'}
        leftSection={<IconPlus size={14} />}
      >
        {entityText.add}
      </Button>
    </DisabledReason>
  )
}

/** Error state in place of the entities; the user's card above them stays. */
export const EntitiesFailure = () => <RouteFailure title={entityText.failed.title} />

interface EntitySectionProps {
  readonly userId: string
  readonly entity: Entity
  /** Whether the URL is that of this entity. */
  readonly isOpened: boolean
  readonly isEdited: boolean
}

interface EntitiesState {
  readonly openedFor?: string
  readonly adds?: boolean
  /** Id of the entity that was just saved. */
  readonly saved?: string
}

const EntitySection = memo(function EntitySection(props: EntitySectionProps) {
  const { userId, entity, isOpened, isEdited } = props
  useLabels()
  const { openedFor, adds, saved } = (useLocation().state ?? {}) as EntitiesState
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
