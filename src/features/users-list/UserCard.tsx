import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

import type { Entity, User } from '#contract/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { typeLabel } from '../../domain/labels.ts'
import { AccountState } from '../../domain/people/AccountState.tsx'
import { emailOf, nameOf } from '../../domain/people/user-fields.ts'
import { entitiesQuery } from '../../domain/queries/entities.ts'
import { keyFacts } from '../../domain/values/key-facts.ts'
import { userListText, userText } from '../../messages/index.ts'
import { EmailText } from '../../ui/EmailText.tsx'
import { Fact, Facts } from '../../ui/Facts.tsx'
import { takeFew } from '../../ui/show-more.ts'
import { SkeletonBar } from '../../ui/skeletons/SkeletonRows.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import classes from './UsersPage.module.css'

const cardText = userListText.card

/** Time that the mouse must stay on a row before the card opens. Less counts as moving across the row. */
const hoverRestMs = 350
const gapPx = 24
const windowEdgePx = 8
const shownEntities = 5

export interface UserCardProps {
  readonly rows: readonly User[]
  readonly table: RefObject<HTMLElement | null>
}

interface PreviewedRow {
  readonly id: string
  /** X coordinate of the mouse at rest; undefined if Space opened the preview of the focused row. */
  readonly x?: number
}

/**
 * Preview of the row that the mouse rests on, or of the focused row after Space. The card opens beside the mouse, so
 * that it does not block the way to the next row. Escape closes it.
 */
export function UserCard({ rows, table }: UserCardProps) {
  const [shown, setShown] = useState<PreviewedRow>()
  const mouse = useRef({ x: -1, y: -1 })
  const resting = useRef<{ id: string; timer?: ReturnType<typeof setTimeout> }>(undefined)
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

  const onMove = useEffectEvent((event: PointerEvent) => {
    // Rows that scroll under a resting mouse open no preview.
    const { x, y } = mouse.current
    const isStill = event.clientX === x && event.clientY === y
    mouse.current = { x: event.clientX, y: event.clientY }
    // Touching or selecting text opens no preview either.
    const isBusy = event.pointerType === 'touch' || event.buttons !== 0
    if (isBusy || isStill || isInCard(event.target)) return
    const id = rowAt(event.target)?.id
    if (resting.current?.id === id) return
    hide()
    if (id === undefined) return
    const isPressed = () => table.current?.querySelector('a[data-pressed]') != null
    const timer = setTimeout(() => isPressed() || setShown({ id, x: mouse.current.x }), hoverRestMs)
    resting.current = { id, timer }
  })
  const onLeave = useEffectEvent((event: Event) => {
    if (event.type === 'pointerdown' && isInCard(event.target)) return
    if (event.type !== 'scroll' || shown?.x !== undefined) hide()
    // A pressed row opens its user, so it has no preview until the mouse has been elsewhere.
    const pressed = event.type === 'pointerdown' && rowAt(event.target)
    if (pressed) resting.current = { id: pressed.id }
  })
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape' && shown) {
      event.preventDefault()
      event.stopPropagation()
      hide()
    } else if (event.key === ' ' && isRowLink(event.target)) {
      const id = rowAt(event.target)?.id
      hide()
      if (id !== undefined && id !== shown?.id) setShown({ id })
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
    const { signal } = listening
    element?.addEventListener('pointermove', (event) => onMove(event), { signal })
    element?.addEventListener('pointerleave', (event) => onLeave(event), { signal })
    element?.addEventListener('focusin', (event) => onFocus(event), { signal })
    element?.addEventListener('focusout', (event) => onFocus(event), { signal })
    // Captured, so that Escape closes the preview before anything else on the page reacts to it.
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
  // Runs after every render, since the card's size may have changed.
  useLayoutEffect(() => {
    if (card.current && row) placeCard(card.current, row, x)
  })

  const name = nameOf(user) ?? userText.noName
  return (
    <div
      ref={card}
      popover="manual"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <output> may not hold a list
      role="status"
      aria-label={cardText.label({ name })}
      data-user-card
      className={classes.card}
    >
      <Text fw={600} dir="auto">
        {name}
      </Text>
      <AccountState value={user.account} />
      <Facts mt={8} labelWidth={96}>
        <Fact name={userText.columns.email}>
          {emailOf(user) !== undefined && <EmailText>{emailOf(user) ?? ''}</EmailText>}
        </Fact>
        <Fact name={userText.columns.ref}>{user.ref}</Fact>
        <Fact name={userText.columns.id}>
          <span className="ds-mono">{user.id}</span>
        </Fact>
        <Fact name={userText.columns.since}>
          <Timestamp value={user.since} mode="minute" />
        </Fact>
        <Fact name={userText.columns.created}>
          <Timestamp value={user.created} mode="minute" />
        </Fact>
        {denied === undefined && (
          <Fact name={cardText.entities}>
            {entities.error ? cardText.failed : <EntityFacts entities={entities.data} />}
          </Fact>
        )}
      </Facts>
    </div>
  )
}

function EntityFacts({ entities }: { readonly entities: readonly Entity[] | undefined }) {
  if (!entities) return <SkeletonBar width="70%" />
  if (entities.length === 0) return cardText.noEntities
  const few = takeFew(entities, shownEntities)
  const more = entities.length - few.length
  return (
    <>
      {few.map((entity) => {
        const facts = keyFacts(entity)
        return (
          <Text key={entity.id} inherit truncate>
            <b>{typeLabel(entity.type)}</b>{' '}
            {facts.length > 0 ? facts.join(' · ') : cardText.properties({ count: entity.properties.length })}
          </Text>
        )
      })}
      {more > 0 && <div>{cardText.more({ count: more })}</div>}
    </>
  )
}

function tableRows(table: HTMLElement | null): Element[] {
  return Array.from(table?.querySelectorAll('tbody tr') ?? [])
}

const isRowLink = (target: EventTarget | null) =>
  target instanceof Element && target.matches('a[data-row-link]')
const isInCard = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[data-user-card]') !== null

/**
 * Positions the card beside the mouse, level with its row. A card opened by key is placed below the row, or above it if
 * there is no room, clear of the names there.
 */
function placeCard(card: HTMLElement, row: Element, x: number | undefined): void {
  const { top, bottom } = row.getBoundingClientRect()
  const { width, height } = card.getBoundingClientRect()
  const nameEnd = row.firstElementChild?.getBoundingClientRect().right ?? 0
  const isRoomRight = x === undefined || x + gapPx + width + windowEdgePx <= innerWidth
  const left = x === undefined ? nameEnd : isRoomRight ? x + gapPx : x - gapPx - width
  const isRoomBelow = bottom + height + windowEdgePx <= innerHeight
  const level = x === undefined ? (isRoomBelow ? bottom + 4 : top - height - 4) : top
  const within = (value: number, most: number) =>
    `${Math.max(windowEdgePx, Math.min(value, most - windowEdgePx))}px`
  card.style.setProperty('left', within(left, innerWidth - width))
  card.style.setProperty('top', within(level, innerHeight - height))
}
