import { IconAlertTriangle, IconExternalLink } from '@tabler/icons-react'
import { Fragment, type ReactNode } from 'react'

import { isDataType, type PropertyValue, readValue } from '#contract/index.ts'
import { preferencePhase } from '#contract/reading/preference-phase.ts'
import { rawText } from '#contract/reading/written.ts'
import { valueText } from '../../messages/index.ts'
import { EmailText } from '../../ui/EmailText.tsx'
import { hint } from '../../ui/Hint.tsx'
import { ShortId } from '../../ui/ShortId.tsx'
import { Timestamp, useNowMs } from '../../ui/Timestamp.tsx'
import { amount } from './currencies.ts'
import { dataTypeName } from './data-type-name.ts'
import { groupedNumber } from './numbers.ts'
import { safeUrl } from './safe-url.ts'
import classes from './ValueInput.module.css'

export interface Target {
  readonly user: string
  readonly entity?: string | undefined
}

export interface ValueTextProps {
  readonly type: string
  readonly value: unknown
  /** Whether a number has a unit beside it. */
  readonly isQuantity?: boolean | undefined
  readonly renderLink?: ((target: Target) => ReactNode) | undefined
}

/** Renders a value read-only. A value that does not fit its type is shown as it is, and marked. */
export function ValueText({ type, value, isQuantity, renderLink }: ValueTextProps) {
  if (value === null || value === undefined) return <span className="ds-dimmed">{valueText.none}</span>
  if (!isDataType(type)) return <span className="ds-mono">{rawText(value)}</span>
  if (readValue(type, value).issues)
    return (
      <span className={classes.unfitText} {...hint(valueText.unfitMark({ type: dataTypeName(type) }))}>
        <IconAlertTriangle size={13} stroke={2} aria-hidden />
        <span className="ds-visually-hidden">{valueText.unfitBefore({ type: dataTypeName(type) })}</span>{' '}
        {rawText(value)}
      </span>
    )
  switch (type) {
    case 'BOOLEAN':
      return <span>{value === true ? valueText.true : valueText.false}</span>
    case 'CURRENCY':
      return <span>{amount(value as PropertyValue['CURRENCY'])}</span>
    case 'DATETIME':
      return <Timestamp value={value as string} mode="minute" />
    case 'URL':
      return (
        <a href={safeUrl(value as string)} target="_blank" rel="noopener noreferrer">
          {breakUrl(value as string)}
        </a>
      )
    case 'RELATIONSHIP': {
      const target = value as Target
      return (
        renderLink?.(target) ?? (
          <span>
            <ShortId id={target.user} copy={false} />
            {target.entity !== undefined && (
              <>
                {' / '}
                <ShortId id={target.entity} copy={false} />
              </>
            )}
          </span>
        )
      )
    }
    case 'PREFERENCE':
      return <PreferenceText preference={value as PropertyValue['PREFERENCE']} />
    case 'TEXT':
      return value === '' ? (
        <span className="ds-dimmed">{valueText.emptyText}</span>
      ) : (
        <span className={classes.text} dir="auto">
          {value as string}
        </span>
      )
    case 'NUMBER':
    case 'DECIMAL':
      return <span>{groupedNumber(rawText(value), undefined, isQuantity)}</span>
    case 'DATE':
      return <Timestamp value={value as string} mode="day" />
    case 'EMAIL':
      return (
        <span>
          <EmailText>{value as string}</EmailText>
        </span>
      )
    case 'TIME':
      return <span>{rawText(value)}</span>
  }
}

/** Lets a URL wrap between its parts, and only then within a word. */
const breakUrl = (url: string) =>
  url.split(/(?<=[/.=])(?=[^/])|(?=[?&#])/).map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- a text has no other names for its parts
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))

/** Renders a preference. A text that it has ended or not begun comes first, since a column may truncate the rest. */
function PreferenceText({ preference }: { readonly preference: PropertyValue['PREFERENCE'] }) {
  const { status, statusDate, expires } = preference
  const phase = preferencePhase(preference, useNowMs())
  const begin = statusDate !== undefined && <Timestamp value={statusDate} mode="minute" />
  const end = expires !== undefined && <Timestamp value={expires} mode="minute" />
  if (phase === 'ended')
    return (
      <span className="ds-dimmed">
        {valueText.ended[status].withElements({ moment: end })}
        {begin && (
          <>
            {'\u00a0· '}
            {valueText.held[status].withElements({ moment: begin })}
          </>
        )}
      </span>
    )
  return (
    <span>
      {phase === 'future'
        ? valueText.future[status].withElements({ moment: begin })
        : valueText.status[status]}
      {phase === 'current' && begin && (
        <>
          {'\u00a0· '}
          {begin}
        </>
      )}
      {end && (
        <>
          {'\u00a0· '}
          {valueText.expires.withElements({ moment: end })}
        </>
      )}
    </span>
  )
}

/** Link that opens a web address in a new tab without a referrer or opener. Renders nothing for any other URL. */
export function SafeLink({ url }: { readonly url: string }) {
  const href = safeUrl(url)
  if (href === undefined) return null
  const label = valueText.openLink({ host: new URL(href).host })
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={label}
      {...hint(label)}
      className={classes.link}
    >
      <IconExternalLink size={15} stroke={1.75} aria-hidden />
    </a>
  )
}
