import { createContext, use } from 'react'

import type { User } from '#contract/index.ts'
import type { OwnColumns } from '../../../domain/queries/users.ts'
import { keyLabel } from '../../../domain/values/key-label.ts'
import type { Column } from '../../../ui/DataTable.tsx'
import { SkeletonBar } from '../../../ui/SkeletonRows.tsx'
import { PropertyCell } from './PropertyCell.tsx'

/** Values of the property columns, by user id. */
export type ColumnValues = Readonly<Record<string, OwnColumns>>

/** `undefined`: it is on its way; `null`: it could not be read. */
export const ColumnValuesContext = createContext<ColumnValues | null | undefined>(undefined)

/** A column for each of these properties. `values`: what is known of them says how they are aligned. */
export function propertyColumns(
  names: readonly string[],
  values: ColumnValues | undefined,
): readonly Column<User>[] {
  return names.map((name) => ({
    id: name,
    header: columnLabel(name),
    hint: name,
    narrow: 'labelled',
    ...(isNumeric(name, values) && { align: 'end' }),
    cell: ({ id }) => <Cell userId={id} name={name} />,
  }))
}

/** "Birthday" for `person.birthday`, since the row is the person's; "Car plate" for `car.plate`. */
export function columnLabel(name: string): string {
  return keyLabel(name.replace(/^person\./, ''))
}

function Cell({ userId, name }: { readonly userId: string; readonly name: string }) {
  const values = use(ColumnValuesContext)
  const own = values?.[userId]
  if (!own) return values === null ? null : coming
  const properties = own[name] ?? []
  return properties.length === 0 ? null : <PropertyCell properties={properties} />
}

const coming = <SkeletonBar width="56px" />

const numeric = new Set(['NUMBER', 'DECIMAL', 'CURRENCY'])

function isNumeric(name: string, values: ColumnValues = {}): boolean {
  const types = Object.values(values).flatMap((own) => (own[name] ?? []).map(({ type }) => type))
  return types.length > 0 && types.every((type) => numeric.has(type))
}
