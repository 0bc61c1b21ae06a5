import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'

import type { Entity, User } from '#contract/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { typeLabel } from '../../domain/labels.ts'
import { AccountState } from '../../domain/people/AccountState.tsx'
import { emailOf, nameOf } from '../../domain/people/user-fields.ts'
import { entitiesQuery } from '../../domain/queries/entities.ts'
import { keyFacts } from '../../domain/values/key-facts.ts'
import { sharedText, userListText, userText } from '../../messages/index.ts'
import { EmailText } from '../../ui/EmailText.tsx'
import { Fact, Facts } from '../../ui/Facts.tsx'
import { takeFew } from '../../ui/show-more.ts'
import { SkeletonBar } from '../../ui/skeletons/SkeletonRows.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import classes from './UsersPage.module.css'

const cardText = userListText.card

const gapPx = 24
const windowEdgePx = 8
const shownEntities = 5

export interface UserPreviewProps {
  readonly user: User
  /** X coordinate of the mouse; undefined if a key opened the card. */
  readonly x: number | undefined
  readonly row: Element | undefined
}

/** Card about a user, placed beside the mouse, or beside the row if the mouse did not open it. */
export function UserPreview({ user, x, row }: UserPreviewProps) {
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
        <Fact name={userText.columns.email} none={sharedText.none}>
          {emailOf(user) !== undefined && <EmailText>{emailOf(user) ?? ''}</EmailText>}
        </Fact>
        <Fact name={userText.columns.ref} none={sharedText.none}>
          {user.ref}
        </Fact>
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
