import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

import type { User } from '#contract/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { userListText, userText } from '../../messages/index.ts'
import { SkeletonBar } from '../../ui/SkeletonRows.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { keyFacts } from '../../domain/values/key-facts.ts'
import { entitiesQuery } from '../../domain/queries/entities.ts'
import { AccountState } from '../../domain/people/AccountState.tsx'
import { emailOf, nameOf } from '../../domain/people/user-fields.ts'
import classes from './UserCard.module.css'

/** A shorter rest is only the way to somewhere else. */
const restMs = 350
const gapPx = 24
const edgePx = 8
const shownEntities = 5

export interface UserCardProps {
  readonly rows: readonly User[]
  readonly table: RefObject<HTMLElement | null>
  /** Where the mouse was last seen. */
  readonly mouseX: RefObject<number>
  /** The row whose preview was asked for before there was anybody to ask. */
  readonly asked: string | undefined
}

interface Shown {
  readonly id: string
  /** Where the mouse rests; absent: shown by key, for the row that has the focus. */
  readonly x?: number
}

/**
 * A preview of the row that the mouse rests on, or of the focused one after Space. It stands beside the mouse, so that
 * the way to the next row stays free, and goes with Escape.
 */
export function UserCard({ rows, table, mouseX, asked }: UserCardProps) {
  const [shown, setShown] = useState<Shown | undefined>(asked === undefined ? undefined : { id: asked })
  const lastAt = useRef('')
  const resting = useRef<{ id: string; timer: ReturnType<typeof setTimeout> }>(undefined)
  const user = rows.find(({ id }) => id === shown?.id)

  const hide = () => {
    clearTimeout(resting.current?.timer)
    resting.current = undefined
    setShown(undefined)
  }
  const rowAt = (target: EventTarget | null) => {
    const row = target instanceof Element ? target.closest('tbody tr') : null
    return row ? rows[tableRows(table.current).indexOf(row)] : undefined
  }

  const rest = useEffectEvent((target: EventTarget | null) => {
    const id = rowAt(target)?.id
    if (resting.current?.id === id) return
    hide()
    if (id === undefined) return
    const timer = setTimeout(() => setShown({ id, x: mouseX.current }), restMs)
    resting.current = { id, timer }
  })
  const onMove = useEffectEvent((event: PointerEvent) => {
    // A row that moves under a mouse at rest is no wish to see it.
    const at = `${event.clientX} ${event.clientY}`
    const isStill = lastAt.current === at
    lastAt.current = at
    // Nor is selecting text.
    const isBusy = event.pointerType === 'touch' || event.buttons !== 0
    if (isBusy || isStill || isInCard(event.target)) return
    rest(event.target)
  })
  const onLeave = useEffectEvent((event: Event) => {
    if (event.type === 'pointerdown' && isInCard(event.target)) return
    if (event.type !== 'scroll' || shown?.x !== undefined) hide()
  })
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape' && shown) {
      event.preventDefault()
      event.stopPropagation()
      hide()
    } else if (event.key === ' ' && isRowLink(event.target)) {
      const id = rowAt(event.target)?.id
      if (shown || id === undefined) hide()
      else setShown({ id })
    }
  })
  const onFocus = useEffectEvent(({ target, relatedTarget, type }: FocusEvent) => {
    if (!shown || shown.x !== undefined) return
    const id = rowAt(type === 'focusin' ? target : relatedTarget)?.id
    if (id === undefined) hide()
    else setShown({ id })
  })

  useEffect(() => {
    const element = table.current
    const listening = new AbortController()
    // It may have come to rest before this code had come.
    if (matchMedia('(hover: hover)').matches) rest(element?.querySelector('tbody tr:hover') ?? null)
    const { signal } = listening
    element?.addEventListener('pointermove', (event) => onMove(event), { signal })
    element?.addEventListener('pointerleave', (event) => onLeave(event), { signal })
    element?.addEventListener('focusin', (event) => onFocus(event), { signal })
    element?.addEventListener('focusout', (event) => onFocus(event), { signal })
    // Before anybody else's Escape.
    document.addEventListener('keydown', (event) => onKey(event), { signal, capture: true })
    document.addEventListener('pointerdown', (event) => onLeave(event), { signal })
    document.addEventListener('scroll', (event) => onLeave(event), { signal, passive: true })
    return () => {
      listening.abort()
      clearTimeout(resting.current?.timer)
    }
  }, [table])

  if (!shown || !user) return null
  return <Card key={user.id} user={user} x={shown.x} row={tableRows(table.current)[rows.indexOf(user)]} />
}

interface CardProps {
  readonly user: User
  readonly x: number | undefined
  readonly row: Element | undefined
}

function Card({ user, x, row }: CardProps) {
  const card = useRef<HTMLDivElement>(null)
  const denied = useDenied('entities:read')
  const entities = useQuery({ ...entitiesQuery(user.id), enabled: denied === undefined })
  useLayoutEffect(() => card.current?.showPopover(), [])
  // Whenever its size may have changed.
  useLayoutEffect(() => {
    if (card.current && row) place(card.current, row, x)
  })

  const name = nameOf(user) ?? userText.noName
  return (
    <div
      ref={card}
      popover="manual"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <output> may not hold a list
      role="status"
      aria-label={userListText.card.label(name)}
      data-user-card
      className={classes.card}
    >
      <p className={classes.name}>{name}</p>
      <AccountState value={user.account} />
      <dl className={classes.facts}>
        <Fact label={userListText.card.email}>{emailOf(user)}</Fact>
        <Fact label={userListText.card.ref}>{user.ref}</Fact>
        <dt>{userListText.card.id}</dt>
        <dd className="ds-mono">{user.id}</dd>
        <dt>{userListText.card.since}</dt>
        <dd>
          <Timestamp value={user.since} mode="exact" />
        </dd>
        <dt>{userListText.card.created}</dt>
        <dd>
          <Timestamp value={user.created} mode="exact" />
        </dd>
        {denied === undefined && (
          <>
            <dt>{userListText.card.entities}</dt>
            <dd>{entities.error ? userListText.card.failed : <Entities of={entities.data} />}</dd>
          </>
        )}
      </dl>
    </div>
  )
}

function Fact({ label, children }: { readonly label: string; readonly children: string | null | undefined }) {
  if (children === null || children === undefined || children === '') return null
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  )
}

type EntityList = Parameters<typeof keyFacts>[0][]

function Entities({ of: entities }: { readonly of: EntityList | undefined }) {
  if (!entities) return <SkeletonBar width="70%" />
  if (entities.length === 0) return userListText.card.noEntities
  const more = entities.length - shownEntities
  return (
    <ul className={classes.entities}>
      {entities.slice(0, shownEntities).map((entity) => {
        const facts = keyFacts(entity)
        return (
          <li key={entity.id}>
            <span className={classes.type}>{entity.type}</span>{' '}
            {facts.length > 0 ? facts.join(' · ') : userListText.card.properties(entity.properties.length)}
          </li>
        )
      })}
      {more > 0 && <li>{userListText.card.more(more)}</li>}
    </ul>
  )
}

function tableRows(table: HTMLElement | null): Element[] {
  return Array.from(table?.querySelectorAll('tbody tr') ?? [])
}

const isRowLink = (target: EventTarget | null) =>
  target instanceof Element && target.matches('a[data-row-link]')
const isInCard = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[data-user-card]') !== null

/** Beside the mouse and level with its row; by key, under the row and clear of the names in the rows below. */
function place(card: HTMLElement, row: Element, x: number | undefined): void {
  const { top, bottom } = row.getBoundingClientRect()
  const { width, height } = card.getBoundingClientRect()
  const nameEnd = row.firstElementChild?.getBoundingClientRect().right ?? 0
  const isRoomRight = x === undefined || x + gapPx + width + edgePx <= innerWidth
  const left = x === undefined ? nameEnd : isRoomRight ? x + gapPx : x - gapPx - width
  const isRoomBelow = bottom + height + edgePx <= innerHeight
  const level = x === undefined ? (isRoomBelow ? bottom + 4 : top - height - 4) : top
  const within = (value: number, most: number) => `${Math.max(edgePx, Math.min(value, most - edgePx))}px`
  card.style.setProperty('left', within(left, innerWidth - width))
  card.style.setProperty('top', within(level, innerHeight - height))
}
