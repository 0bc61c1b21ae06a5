import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

import type { Entity } from '#contract/index.ts'
import { ApiError } from '../../../api/index.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { typeWithin } from '../../../domain/labels.ts'
import { links } from '../../../domain/links.ts'
import { nameOf } from '../../../domain/people/user-fields.ts'
import { entityQuery } from '../../../domain/queries/entities.ts'
import { userQuery } from '../../../domain/queries/users.ts'
import { keyFacts } from '../../../domain/values/key-facts.ts'
import type { Target } from '../../../domain/values/ValueText.tsx'
import { entityText, targetText } from '../../../messages/index.ts'
import { hint } from '../../../ui/Hint.tsx'
import { shortId } from '../../../ui/ShortId.tsx'
import classes from './TargetLink.module.css'

/** A name only labels an id, so a cached one may be this old. */
const namedMs = 5 * 60_000

/** Link to the target of a relationship, with its name once loaded; without a link if it was deleted. */
export function TargetLink({ user, entity }: Target) {
  const client = useQueryClient()
  const mayUser = useDenied('users:read') === undefined
  const owner = useQuery({ ...userQuery(user), staleTime: namedMs, enabled: mayUser })
  const isUserGone = isAbsent(owner.error)
  const owned = useQuery({
    ...entityQuery(client, user, entity ?? ''),
    staleTime: namedMs,
    enabled: entity !== undefined && !isUserGone,
  })
  const name = owner.data && (nameOf(owner.data.user) ?? targetText.noName)
  if (isUserGone) return <Gone id={user} reason={targetText.userGone} />
  if (entity === undefined || !isAbsent(owned.error))
    return (
      <IdLink user={user} entity={entity}>
        {[name, owned.data && targetTitle(owned.data)].filter((part) => part !== undefined).join(' › ')}
      </IdLink>
    )
  return (
    <>
      <IdLink user={user}>{name}</IdLink>
      <Gone id={entity} reason={targetText.entityGone} />
    </>
  )
}

/** Link by id. Fetches no name, so that the name behind a sensitive relationship is not cached. */
export function IdLink({ user, entity, children }: Target & { readonly children?: ReactNode }) {
  const isUser = entity === undefined
  const isNamed = children !== undefined && children !== ''
  return (
    <Link
      to={isUser ? links.user(user) : links.entity(user, entity)}
      className={classes.link ?? ''}
      {...hint(isUser ? entityText.form.openUser : entityText.form.openEntity)}
    >
      {children} <span className={isNamed ? 'ds-mono ds-dimmed' : 'ds-mono'}>{shortId(entity ?? user)}</span>
    </Link>
  )
}

function Gone({ id, reason }: { readonly id: string; readonly reason: string }) {
  return (
    <span className={classes.gone} {...hint(reason)}>
      {targetText.gone.withElements({ id: <span className="ds-mono">{shortId(id)}</span> })}
    </span>
  )
}

export function renderTarget(target: Target): ReactNode {
  return <TargetLink {...target} />
}

/** Renders a sensitive relationship as a link by id: the name behind it is neither fetched nor cached. */
export function renderHiddenTarget(target: Target): ReactNode {
  return <IdLink {...target} />
}

/** Returns the entity type and a value or two that distinguish the entity; never a sensitive value. */
export function targetTitle(entity: Entity): string {
  return [typeWithin(entity.type), ...keyFacts(entity)].join(' · ')
}

/** Statuses that mean the target does not exist. A service may also reject an unknown id as malformed. */
const absences = new Set([400, 404, 410, 422])

function isAbsent(error: unknown): boolean {
  return error instanceof ApiError && absences.has(error.status)
}
