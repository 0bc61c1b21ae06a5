import '@mantine/core/styles/Group.layer.css'
import '@mantine/core/styles/Text.layer.css'

import { Button, Group, Text } from '@mantine/core'
import { IconPlus, IconStack2 } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link, Outlet, useMatch, useParams } from 'react-router'

import type { Entity } from '#contract/index.ts'

import { links } from '../../domain/links.ts'
import { useDenied } from '../../auth/use-session.ts'
import { entityText } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import { keyFacts } from '../../domain/values/key-facts.ts'
import classes from './EntitiesPage.module.css'
import { painted } from '../../api/wait.ts'
import { entitiesQuery } from '../../domain/queries/entities.ts'
import { EntitiesSkeleton } from './EntitiesSkeleton.tsx'
import type { GivenReasons } from './reveal.ts'

/** As in the styles: below this the list and the open entity do not stand side by side. */
function isNarrow(): boolean {
  return matchMedia('(max-width: 900px)').matches
}

// The editor is most of the code: who the user is, and what they own, is on the screen before it is read.
const OneEntity = lazy(async () => {
  await painted()
  return { default: (await import('./EntityPage.tsx')).OneEntity }
})

/** Left the user's entities, right the open one. On narrow screens one or the other. */
export function EntitiesPage() {
  const { userId = '', entityId } = useParams()
  const { data: all } = useSuspenseQuery(entitiesQuery(userId))
  const [reasons] = useState<GivenReasons>(() => new Map())
  const isOpen = useMatch('/users/:userId/entities/:entityId') !== null
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
  return (
    <div className={classes.root} data-open={isOpen || undefined}>
      <nav aria-label={entityText.list} className={classes.list}>
        <ul>
          {all.map((entity, index) => (
            <li key={entity.id}>
              <EntityLink
                userId={userId}
                entity={entity}
                // At the user's own address the first one is shown, beside the list: without an address of its own.
                current={isOpen ? entity.id === entityId && 'page' : index === 0 && !isNarrow() && 'true'}
              />
            </li>
          ))}
        </ul>
        <AddEntity userId={userId} />
      </nav>
      <div className={classes.detail}>
        <Outlet context={reasons} />
      </div>
    </div>
  )
}

interface EntityLinkProps {
  readonly userId: string
  readonly entity: Entity
  readonly current: 'page' | 'true' | false
}

function EntityLink({ userId, entity, current }: EntityLinkProps) {
  const { id, type, properties } = entity
  return (
    <Link
      to={links.entity(userId, id)}
      preventScrollReset
      className={classes.entity ?? ''}
      aria-current={current || undefined}
      // It is open already, perhaps with something typed in it.
      onClick={(event) => {
        if (current === 'true' && !event.metaKey && !event.ctrlKey) event.preventDefault()
      }}
    >
      <Group component="span" gap={6} wrap="nowrap">
        <Text span inherit fw={500} truncate>
          {type}
        </Text>
        {properties.some(({ sensitive }) => sensitive === true) && <SensitiveMark />}
        <Text span size="xs" c="dimmed" ms="auto" aria-hidden>
          {properties.length}
        </Text>
        <span className="ds-visually-hidden">{entityText.properties(properties.length)}</span>
      </Group>
      <Text span size="sm" c="dimmed" truncate>
        {keyFacts(entity).join(' · ')}
      </Text>
    </Link>
  )
}

function AddEntity({ userId, filled = false }: { readonly userId: string; readonly filled?: boolean }) {
  const denied = useDenied('entities:write')
  return (
    <DisabledReason reason={denied}>
      <Button
        component={Link}
        to={links.newEntity(userId)}
        variant={filled ? 'filled' : 'subtle'}
        size={filled ? 'sm' : 'compact-sm'}
        leftSection={<IconPlus size={14} />}
      >
        {entityText.add}
      </Button>
    </DisabledReason>
  )
}

/**
 * At the user's own address: the first entity, without a step to its address. One that came right after the user's would
 * swallow a quick Back. Narrow screens show the list alone.
 */
export function FirstEntity() {
  const { userId = '' } = useParams()
  const { data: all } = useSuspenseQuery(entitiesQuery(userId))
  const [first] = all
  if (!first || isNarrow()) return <Text c="dimmed">{entityText.choose}</Text>
  return (
    <Suspense fallback={<EntitiesSkeleton />}>
      <OneEntity key={first.id} userId={userId} entityId={first.id} />
    </Suspense>
  )
}
