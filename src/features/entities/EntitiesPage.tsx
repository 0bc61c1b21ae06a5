import { Button } from '@mantine/core'
import { IconPlus, IconStack2 } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, Navigate, NavLink, Outlet, useMatch, useParams } from 'react-router'

import type { Entity } from '#contract/index.ts'

import { links } from '../../app/links.ts'
import { useDenied } from '../../auth/use-session.ts'
import { entities as text } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SensitiveMark } from '../../ui/SensitiveMark.tsx'
import { keyFacts } from './key-facts.ts'
import classes from './EntitiesPage.module.css'
import { entitiesQuery } from './queries.ts'

/** Left the user's entities, right the open one. On narrow screens one or the other. */
export function EntitiesPage() {
  const { userId = '' } = useParams()
  const { data: all } = useSuspenseQuery(entitiesQuery(userId))
  const isOpen = useMatch('/users/:userId/entities/:entityId') !== null
  if (all.length === 0 && !isOpen)
    return (
      <EmptyState
        icon={<IconStack2 size={28} stroke={1.5} />}
        title={text.empty.title}
        action={<AddEntity userId={userId} filled />}
      >
        {text.empty.body}
      </EmptyState>
    )
  return (
    <div className={classes.root} data-open={isOpen || undefined}>
      <nav aria-label={text.list} className={classes.list}>
        <ul>
          {all.map((entity) => (
            <li key={entity.id}>
              <EntityLink userId={userId} entity={entity} />
            </li>
          ))}
        </ul>
        <AddEntity userId={userId} />
      </nav>
      <div className={classes.detail}>
        <Outlet />
      </div>
    </div>
  )
}

function EntityLink({ userId, entity }: { readonly userId: string; readonly entity: Entity }) {
  const { id, type, properties } = entity
  return (
    <NavLink to={links.entity(userId, id)} className={classes.entity ?? ''}>
      <span className={classes.entityHead}>
        <span className={classes.entityType}>{type}</span>
        {properties.some(({ sensitive }) => sensitive === true) && <SensitiveMark />}
        <span className={classes.count} aria-hidden>
          {properties.length}
        </span>
        <span className="ds-visually-hidden">{text.properties(properties.length)}</span>
      </span>
      <span className={classes.facts}>{keyFacts(entity).join(' · ')}</span>
    </NavLink>
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
        {text.add}
      </Button>
    </DisabledReason>
  )
}

/** As in the styles: below this the list and the open entity do not stand side by side. */
const narrow = '(max-width: 900px)'

/**
 * At the user's own address. Wide screens open the first entity in its place: replaced here and not by the loader,
 * which cannot tell a new entry of the history from one that was gone back to.
 */
export function NoEntityOpen() {
  const { userId = '' } = useParams()
  const { data: all } = useSuspenseQuery(entitiesQuery(userId))
  const [first] = all
  if (first && !matchMedia(narrow).matches) return <Navigate to={links.entity(userId, first.id)} replace />
  return <p className={classes.hint}>{text.choose}</p>
}
