import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'

import { dataTypeName } from '../../domain/values/data-type-name.ts'
import { entityText } from '../../messages/index.ts'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import { type Aspect, isSecret, type TypedRow } from './row.ts'

/** Property, or row of the form, without its value. */
export type Named = Pick<TypedRow, 'key' | 'type'> & { readonly sensitive?: boolean | null | undefined }

export interface PropertyStateProps {
  readonly of: Named
  /** Aspects that differ between the compared sides. */
  readonly aspects: readonly Aspect[]
  /** Rendered value. */
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
        (sensitive === true ? <SensitiveMark withLabel /> : <span>{entityText.review.notSensitive}</span>)}
    </Stack>
  )
}

export function KeyOf({ row, name = row.key }: { readonly row: TypedRow; readonly name?: string }) {
  return (
    <>
      <span className="ds-mono">{name}</span> {isSecret(row) && <SensitiveMark />}
    </>
  )
}
