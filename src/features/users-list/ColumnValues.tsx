import { use } from 'react'

import { isDataType, maxColumnValues, type PropertyValue, readValue } from '#contract/index.ts'
import { preferencePhase } from '#contract/reading/preference-phase.ts'
import { rawText } from '#contract/reading/written.ts'
import { DefinedValue } from '../../domain/definitions/DefinedValue.tsx'
import type { NamedProperty } from '../../domain/definitions/definitions.ts'
import { useDefinedProperty } from '../../domain/definitions/use-definitions.ts'
import type { OwnColumns } from '../../domain/queries/users.ts'
import { factOf } from '../../domain/values/key-facts.ts'
import { Mask } from '../../domain/values/Mask.tsx'
import { sharedText, userListText, valueText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { shortId } from '../../ui/ShortId.tsx'
import { dateOf, exactTime, type Zones } from '../../ui/time.ts'
import { Timestamp, useNowMs, ZonesContext } from '../../ui/Timestamp.tsx'
import classes from './UsersPage.module.css'

type ColumnProperty = OwnColumns[string][number]

/** Number of characters that fit into a column of any width. */
const shortText = 12

interface ColumnValuesProps {
  /** Name of the column: an entity type and a key, such as `car.plate`. */
  readonly name: string
  /** Properties that the user has; at least one. */
  readonly properties: readonly ColumnProperty[]
}

/** Shows the first value of a property, as its definition says it, and how many more the user has. */
export function ColumnValues({ name, properties }: ColumnValuesProps) {
  const nowMs = useNowMs()
  const { shown } = use(ZonesContext)
  const at = name.indexOf('.')
  const defined = useDefinedProperty(name.slice(0, at), name.slice(at + 1))
  const [first, ...others] = properties
  if (!first) return null
  const all = properties.map((property) => sayProperty(property, defined, nowMs, shown)).join('\n')
  const isMore = properties.length === maxColumnValues
  return (
    <span className={classes.cell} {...hint(others.length > 0 || all.length > shortText ? all : undefined)}>
      <span className={classes.value}>
        {showsMask(first) ? (
          <Mask />
        ) : first.type === 'URL' ? (
          // Plain text instead of a link, because the row has one already.
          rawText(first.value)
        ) : first.type === 'DATETIME' ? (
          <Timestamp value={rawText(first.value)} mode="date" />
        ) : first.type === 'PREFERENCE' && !readValue(first.type, first.value).issues ? (
          sayConsent(first.value as PropertyValue['PREFERENCE'], nowMs)
        ) : (
          // The header says the unit.
          <DefinedValue
            property={{ choices: defined?.choices, unit: undefined }}
            type={first.type}
            value={first.value}
            isQuantity={defined?.unit !== undefined}
          />
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

const showsMask = ({ sensitive, masked }: ColumnProperty) => sensitive === true || masked === true

function sayConsent({ status, statusDate, expires }: PropertyValue['PREFERENCE'], nowMs: number): string {
  const phase = preferencePhase({ status, statusDate, expires }, nowMs)
  if (phase === 'current') return valueText.status[status]
  const date = phase === 'ended' ? expires : statusDate
  return valueText[phase][status]({ moment: date === undefined ? '' : dateOf(Date.parse(date), 'utc') })
}

function sayProperty(
  property: ColumnProperty,
  defined: NamedProperty | undefined,
  nowMs: number,
  shown: Zones['shown'],
): string {
  const { type, value, cut } = property
  if (showsMask(property)) return sharedText.hiddenValue
  if (value === null || value === undefined) return sharedText.none
  const choice = defined?.choices?.find((each) => each.value === value)
  if (choice) return choice.label
  const end = cut === true ? '…' : ''
  if (!isDataType(type) || readValue(type, value).issues) return rawText(value) + end
  if (type === 'BOOLEAN') return value === true ? valueText.true : valueText.false
  if (type === 'PREFERENCE') {
    const consent = value as PropertyValue['PREFERENCE']
    const { statusDate } = consent
    const said = sayConsent(consent, nowMs)
    return statusDate === undefined || preferencePhase(consent, nowMs) !== 'current'
      ? said
      : `${said} · ${exactTime(Date.parse(statusDate), shown)}`
  }
  if (type === 'DATETIME') return exactTime(Date.parse(value as string), shown)
  if (type === 'RELATIONSHIP') {
    const { user, entity } = value as PropertyValue['RELATIONSHIP']
    return entity === undefined ? shortId(user) : `${shortId(user)} / ${shortId(entity)}`
  }
  return factOf(type, value, defined?.unit) + end
}
