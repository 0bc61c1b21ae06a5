import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

import { HiddenBar } from '../../domain/values/HiddenBar.tsx'
import { ValueText } from '../../domain/values/ValueText.tsx'
import { entityText, sharedText } from '../../messages/index.ts'
import { differenceOf } from './difference.ts'
import type { EntityDraft } from './entity-draft.ts'
import { KeyOf, PropertyState } from './PropertyState.tsx'
import classes from './ReviewDialog.module.css'
import { type Aspect, isSecret, type DraftRow } from './row.ts'

const reviewText = entityText.review

/** Table of a draft's changes, one per row: old → new. Sensitive values stay hidden. */
export function ChangesTable({ draft }: { readonly draft: EntityDraft }) {
  const { changes, isTypeChanged } = differenceOf(draft)
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{reviewText.key}</th>
            <th scope="col">{reviewText.was}</th>
            <th scope="col">{reviewText.willBe}</th>
          </tr>
        </thead>
        <tbody>
          {isTypeChanged && (
            <ReviewLine
              state="edited"
              name={reviewText.entityType}
              was={draft.loaded?.type}
              willBe={draft.type}
            />
          )}
          {changes.map((row) => (
            <ChangeLine key={row.id} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

const aspectsShown = { added: ['type', 'value'], removed: ['value'] } satisfies Record<string, Aspect[]>

function ChangeLine({ row }: { readonly row: DraftRow }) {
  const { state, loaded, read, type } = row
  if (state === 'kept' || state === 'unused') return null
  const aspects: readonly Aspect[] = state === 'edited' ? row.aspects : aspectsShown[state]
  const isShown = aspects.includes('value') || aspects.includes('type')
  const secret = isSecret(row)
  return (
    <ReviewLine
      state={state}
      isSecret={secret}
      name={<KeyOf row={row} />}
      was={
        loaded ? (
          <PropertyState of={loaded} aspects={aspects}>
            {isShown &&
              (secret ? (
                <HiddenBar label={reviewText.secret} />
              ) : (
                <ValueText type={loaded.type} value={loaded.value} />
              ))}
          </PropertyState>
        ) : (
          sharedText.none
        )
      }
      willBe={
        state === 'removed' ? (
          reviewText.removed
        ) : (
          <PropertyState of={row} aspects={aspects}>
            {secret
              ? aspects.includes('value') &&
                (loaded ? (
                  <HiddenBar>{reviewText.secretChanged}</HiddenBar>
                ) : (
                  <HiddenBar label={reviewText.secret} />
                ))
              : isShown && read !== 'unseen' && !read.issues && <ValueText type={type} value={read.value} />}
          </PropertyState>
        )
      }
    />
  )
}

interface ReviewLineProps {
  readonly state: 'added' | 'edited' | 'removed'
  readonly isSecret?: boolean
  readonly name: ReactNode
  readonly was: ReactNode
  readonly willBe: ReactNode
}

function ReviewLine({ state, isSecret: secret = false, name, was, willBe }: ReviewLineProps) {
  return (
    <tr data-state={state} data-sensitive={secret || undefined}>
      <th scope="row">
        {name}
        <Text size="xs" c="dimmed">
          {reviewText[state]}
        </Text>
      </th>
      <td>{was}</td>
      <td>{willBe}</td>
    </tr>
  )
}
