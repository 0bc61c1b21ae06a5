import { Link } from 'react-router'

import type { Event } from '#contract/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { links } from '../../app/links.ts'
import { events as text, shared } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { shortId } from '../../ui/ShortId.tsx'
import classes from './EventSubject.module.css'

const kinds = ['user', 'entity', 'segment'] as const
type Kind = (typeof kinds)[number]

/** The id that an event names under one of the known properties. */
function idOf({ properties }: Event, kind: Kind): string | undefined {
  const id = properties[kind]
  return typeof id === 'string' && id !== '' ? id : undefined
}

/** The users, entities and segments that an event is about, with the way to them. */
export function EventSubject({ event }: { readonly event: Event }) {
  const named = kinds.filter((kind) => idOf(event, kind) !== undefined)
  if (named.length === 0) return <span className="ds-dimmed">{shared.none}</span>
  return (
    <span className={classes.subjects}>
      {named.map((kind) => (
        <SubjectLink key={kind} event={event} kind={kind} />
      ))}
    </span>
  )
}

export interface SubjectLinkProps {
  readonly event: Event
  readonly kind: Kind
  /** The whole id, where something else says what it is of. */
  readonly full?: boolean
}

/** A link to what an event names; its id alone where there is nothing to open any more, or nothing the caller may. */
export function SubjectLink({ event, kind, full = false }: SubjectLinkProps) {
  const denied = useDenied(kind === 'segment' ? 'segments:read' : 'users:read')
  const id = idOf(event, kind) ?? ''
  const to = addressOf(event, kind)
  const shown = (
    <>
      {!full && `${text.subjects[kind]} `}
      <span className="ds-mono">{full ? id : shortId(id)}</span>
    </>
  )
  return to === undefined || denied !== undefined ? (
    <span {...hint(denied ?? id)}>{shown}</span>
  ) : (
    <Link to={to} {...hint(id)}>
      {shown}
    </Link>
  )
}

function addressOf(event: Event, kind: Kind): string | undefined {
  const id = idOf(event, kind)
  if (id === undefined || event.type === `${kind.toUpperCase()}_DELETED`) return undefined
  if (kind === 'user') return links.user(id)
  if (kind === 'segment') return links.segment(id)
  const user = idOf(event, 'user')
  return user === undefined ? undefined : links.entity(user, id)
}

export function isKind(name: string): name is Kind {
  return kinds.some((kind) => kind === name)
}
