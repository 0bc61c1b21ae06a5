import { createContext, use } from 'react'

import { isDataType, maxColumnValues, type PropertyValue, readValue, type User } from '#contract/index.ts'
import type { OwnColumns } from '../../../domain/queries/users.ts'
import { keyLabel } from '../../../domain/values/key-label.ts'
import type { Column } from '../../../ui/DataTable.tsx'
import { SkeletonBar } from '../../../ui/skeletons/SkeletonRows.tsx'
import { amount } from '../../../domain/values/currencies.ts'
import { draftOf, rawText } from '../../../domain/values/draft.ts'
import { HiddenBar } from '../../../domain/values/HiddenBar.tsx'
import { preferencePhase } from '../../../domain/values/preference-phase.ts'
import { groupedNumber } from '../../../domain/values/numbers.ts'
import { ValueText } from '../../../domain/values/ValueText.tsx'
import { sharedText, userListText, valueText } from '../../../messages/index.ts'
import { hint } from '../../../ui/Hint.tsx'
import { shortId } from '../../../ui/ShortId.tsx'
import { dateOf, exactTime, type Zones } from '../../../ui/time.ts'
import { useNowMs, ZonesContext } from '../../../ui/Timestamp.tsx'
import classes from './property-columns.module.css'

export type ColumnValues = Readonly<Record<string, OwnColumns>>

/** Values of the property columns: undefined while they load, null if they could not be read. */
export const ColumnValuesContext = createContext<ColumnValues | null | undefined>(undefined)

/** Returns one column for each property. Numbers are right-aligned once `values` shows that a column contains them. */
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
    cell: ({ id }) => <ColumnCell userId={id} name={name} />,
  }))
}

/**
 * Returns the label of a column: "Birthday" for `person.birthday`, since the row is the person's; "Car plate" for
 * `car.plate`.
 */
export function columnLabel(name: string): string {
  return keyLabel(name.replace(/^person\./, ''))
}

function ColumnCell({ userId, name }: { readonly userId: string; readonly name: string }) {
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

type ColumnProperty = OwnColumns[string][number]

/** Number of characters that fit into a column of any width. */
const shortText = 12

/** Shows the first value of a property and how many more the user has. */
function PropertyCell({ properties }: { readonly properties: readonly ColumnProperty[] }) {
  const nowMs = useNowMs()
  const { shown } = use(ZonesContext)
  const [first, ...others] = properties
  if (!first) return null
  const all = properties.map((property) => propertyText(property, nowMs, shown)).join('\n')
  const isMore = properties.length === maxColumnValues
  return (
    <span className={classes.cell} {...hint(others.length > 0 || all.length > shortText ? all : undefined)}>
      <span className={classes.value}>
        {isHidden(first) ? (
          <HiddenBar />
        ) : first.type === 'URL' ? (
          // Plain text instead of a link, because the row has one already.
          rawText(first.value)
        ) : (
          <ValueText type={first.type} value={first.value} />
        )}
      </span>
      {others.length > 0 && (
        <span className={classes.more}>
          {userListText.columns[isMore ? 'atLeast' : 'more']({ count: others.length })}
        </span>
      )}
    </span>
  )
}

const isHidden = ({ sensitive, masked }: ColumnProperty) => sensitive === true || masked === true

function propertyText(property: ColumnProperty, nowMs: number, shown: Zones['shown']): string {
  const { type, value, cut } = property
  if (isHidden(property)) return sharedText.hiddenValue
  if (value === null || value === undefined) return sharedText.none
  const raw = rawText(value) + (cut === true ? '…' : '')
  if (!isDataType(type) || readValue(type, value).issues) return raw
  if (type === 'CURRENCY') return amount(value as PropertyValue['CURRENCY'])
  if (type === 'BOOLEAN') return value === true ? valueText.true : valueText.false
  if (type === 'PREFERENCE') {
    const { status, statusDate, expires } = value as PropertyValue['PREFERENCE']
    const phase = preferencePhase({ status, statusDate, expires }, nowMs)
    if (phase === 'current') return valueText.status[status]
    const date = phase === 'ended' ? expires : statusDate
    return valueText[phase][status]({ moment: date === undefined ? '' : dateOf(Date.parse(date), 'utc') })
  }
  if (type === 'DATE') return dateOf(Date.parse(value as string), 'utc')
  if (type === 'DATETIME') return exactTime(Date.parse(value as string), shown)
  if (type === 'NUMBER' || type === 'DECIMAL') return groupedNumber(raw)
  if (type === 'RELATIONSHIP') {
    const { user, entity } = value as PropertyValue['RELATIONSHIP']
    return [user, entity]
      .flatMap((id) => id ?? [])
      .map(shortId)
      .join(' / ')
  }
  return draftOf(type, value).text + (cut === true ? '…' : '')
}
