import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'

import type { User } from '#contract/index.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'

const UserPreview = lazyPart(async () => (await import('./UserPreview.tsx')).UserPreview)

/** Time that the mouse must stay on a row before the card opens. Less counts as moving across the row. */
const hoverRestMs = 350

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
    if (isBusy(event) || isStill || isInCard(event.target)) return
    UserPreview.prefetch()
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
  return (
    <UserPreview key={user.id} user={user} x={shown.x} row={tableRows(table.current)[rows.indexOf(user)]} />
  )
}

function tableRows(table: HTMLElement | null): Element[] {
  return Array.from(table?.querySelectorAll('tbody tr') ?? [])
}

const isRowLink = (target: EventTarget | null) =>
  target instanceof Element && target.matches('a[data-row-link]')
const isInCard = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[data-user-card]') !== null
/** Touching or selecting text opens no preview. */
const isBusy = ({ pointerType, buttons }: PointerEvent) => pointerType === 'touch' || buttons !== 0
