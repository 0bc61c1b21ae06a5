import type { ImportMapping } from '#contract/import.ts'
import type { WrittenProperty } from '../../domain/known-properties/known-property.ts'

/** Type of the entities whose properties are offered for every column. */
export const offeredEntity = 'person'

/** Target of a column, as it is sent. */
export type ImportTarget = ImportMapping['columns'][number]

/** Target of a column in the form: a property keeps which of its parts were chosen by hand. */
export type PropertyTarget = Extract<ImportTarget, { readonly to: 'property' }> &
  Pick<WrittenProperty, 'chosen' | 'unsettled'>
export type Target = Exclude<ImportTarget, { readonly to: 'property' }> | PropertyTarget
