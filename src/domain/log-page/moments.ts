import { logPageText } from '../../messages/index.ts'
import { exactTime, preciseMoment, type Zones } from '../../ui/time.ts'
import type { LogCondition } from './ConditionChips.tsx'

/** Returns a moment from a URL's parameters in the API's format; `undefined` if there is none. */
export function momentIn(address: URLSearchParams, name: string): string | undefined {
  const ms = Date.parse(address.get(name) ?? '')
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}

export function zoneName(shown: Zones['shown']): string {
  return shown === 'utc' ? 'UTC' : logPageText.localZone
}

/** Returns the filter condition for a moment. Its tooltip has seconds and zone. */
export function momentCondition(
  label: (parts: { readonly time: string }) => string,
  moment: string,
  shown: Zones['shown'],
  onRemove: () => void,
): LogCondition {
  const ms = Date.parse(moment)
  return { label: label({ time: preciseMoment(ms, shown) }), exact: exactTime(ms, shown), onRemove }
}

export interface LogSpan {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** Returns the conditions for both ends of a log's span, which can be removed separately. */
export function spanConditions(
  { from, to }: LogSpan,
  shown: Zones['shown'],
  onChange: (change: LogSpan) => void,
): readonly LogCondition[] {
  const { isFrom, isTo } = logPageText.filter
  const conditions: LogCondition[] = []
  if (from !== undefined)
    conditions.push(momentCondition(isFrom, from, shown, () => onChange({ from: undefined })))
  if (to !== undefined) conditions.push(momentCondition(isTo, to, shown, () => onChange({ to: undefined })))
  return conditions
}
