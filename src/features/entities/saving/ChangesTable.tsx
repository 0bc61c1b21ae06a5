import { Stack } from '@mantine/core'
import { type ReactNode, use } from 'react'

import type { Property } from '#contract/index.ts'
import { Comparison, ComparisonTable } from '../../../domain/changes/ComparisonTable.tsx'
import { PropertyText, type PropertyTextProps } from '../../../domain/definitions/DefinedValue.tsx'
import { typeLabel } from '../../../domain/labels.ts'
import { dataTypeName } from '../../../domain/values/data-type-name.ts'
import { Mask } from '../../../domain/values/Mask.tsx'
import { SensitiveMark } from '../../../domain/values/SensitiveMark.tsx'
import { entityText, sharedText } from '../../../messages/index.ts'
import { differenceOf } from '../draft/difference.ts'
import type { EntityDraft } from '../draft/entity-draft.ts'
import { EntityTypeContext, useLabel } from '../draft/entity-type.ts'
import { type Aspect, isSecret, type DraftRow, type TypedRow } from '../draft/row.ts'

const reviewText = entityText.review

/**
 * Table of a draft's changes, one per row: old → new. Stored sensitive values stay hidden; what was typed for one is
 * shown, so that the person who typed it can check it.
 */
export function ChangesTable({ draft }: { readonly draft: EntityDraft }) {
  const { changes, isTypeChanged } = differenceOf(draft)
  return (
    <ComparisonTable>
      {isTypeChanged && (
        <Comparison
          state="edited"
          label={reviewText.entityType}
          was={draft.loaded && typeLabel(draft.loaded.type)}
          willBe={typeLabel(draft.type)}
        />
      )}
      {changes.map((row) => (
        <ChangeLine key={row.id} row={row} />
      ))}
    </ComparisonTable>
  )
}

const aspectsShown = { added: ['type', 'value'], removed: ['value'] } satisfies Record<string, Aspect[]>

function ChangeLine({ row }: { readonly row: DraftRow }) {
  const label = useLabel()
  const { state, loaded, read, type } = row
  if (state === 'kept' || state === 'unused') return null
  const aspects: readonly Aspect[] = state === 'edited' ? row.aspects : aspectsShown[state]
  const isShown = aspects.includes('value') || aspects.includes('type')
  const secret = isSecret(row)
  return (
    <Comparison
      state={state}
      isSecret={secret}
      label={label(row.key)}
      was={
        loaded ? (
          <PropertyState of={loaded} aspects={aspects}>
            {isShown && (secret ? <Mask label={reviewText.secret} /> : <PropertyValue of={loaded} />)}
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
              <PropertyValue of={{ key: row.key, type, value: read.value }} />
            )}
          </PropertyState>
        )
      }
    />
  )
}

interface PropertyValueProps extends Pick<PropertyTextProps, 'renderLink'> {
  readonly of: Pick<Property, 'key' | 'type' | 'value'>
}

/** Value of a property of the entity around the component. */
export function PropertyValue({ of: { key, type, value }, renderLink }: PropertyValueProps) {
  return <PropertyText entityType={use(EntityTypeContext)} of={key} {...{ type, value, renderLink }} />
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
