import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

import { typeLabel } from '../../../domain/labels.ts'
import { dataTypeName } from '../../../domain/values/data-type-name.ts'
import { Mask } from '../../../domain/values/Mask.tsx'
import { SensitiveMark } from '../../../domain/values/SensitiveMark.tsx'
import { ValueText } from '../../../domain/values/ValueText.tsx'
import { entityText, sharedText } from '../../../messages/index.ts'
import { differenceOf } from '../draft/difference.ts'
import type { EntityDraft } from '../draft/entity-draft.ts'
import { EntityTypeContext, useLabel } from '../draft/entity-type.ts'
import { type Aspect, isSecret, type DraftRow, type TypedRow } from '../draft/row.ts'
import classes from './ChangesTable.module.css'

const reviewText = entityText.review

/**
 * Table of a draft's changes, one per row: old → new. Stored sensitive values stay hidden; what was typed for one is
 * shown, so that the person who typed it can check it.
 */
export function ChangesTable({ draft }: { readonly draft: EntityDraft }) {
  const { changes, isTypeChanged } = differenceOf(draft)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
    <div tabIndex={0} className={classes.scroll}>
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
              was={draft.loaded && typeLabel(draft.loaded.type)}
              willBe={typeLabel(draft.type)}
            />
          )}
          <EntityTypeContext value={draft.type}>
            {changes.map((row) => (
              <ChangeLine key={row.id} row={row} />
            ))}
          </EntityTypeContext>
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
      name={<LabelOf row={row} />}
      was={
        loaded ? (
          <PropertyState of={loaded} aspects={aspects}>
            {isShown &&
              (secret ? (
                <Mask label={reviewText.secret} />
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
            {(secret ? aspects.includes('value') : isShown) && read !== 'unseen' && !read.issues && (
              <ValueText type={type} value={read.value} />
            )}
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

/** Property, or row of the form, without its value. */
export type Named = Pick<TypedRow, 'key' | 'type'> & { readonly sensitive?: boolean | null | undefined }

interface PropertyStateProps {
  readonly of: Named
  /** Aspects that differ between the compared sides. */
  readonly aspects: readonly Aspect[]
  readonly children: ReactNode
}

/** One side of a property comparison: the value, plus every aspect that differs. */
export function PropertyState({ of: { key, type, sensitive }, aspects, children }: PropertyStateProps) {
  return (
    <Stack component="span" gap={2}>
      {aspects.includes('key') && <span className="ds-mono">{key}</span>}
      {aspects.includes('type') && <span>{dataTypeName(type)}</span>}
      {children !== false && <span>{children}</span>}
      {aspects.includes('sensitive') &&
        (sensitive === true ? <SensitiveMark withLabel /> : <span>{reviewText.notSensitive}</span>)}
    </Stack>
  )
}

/** Label of a property, with the mark of a sensitive one. */
export function LabelOf({ row, of = row.key }: { readonly row: TypedRow; readonly of?: string }) {
  const label = useLabel()
  return (
    <>
      <span dir="auto">{label(of)}</span> {isSecret(row) && <SensitiveMark />}
    </>
  )
}
