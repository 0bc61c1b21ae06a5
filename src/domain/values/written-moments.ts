import { isMoment } from '#contract/reading/moments.ts'
import { momentInFull } from '../../ui/moments.tsx'
import { dateOf } from '../../ui/time.ts'
import { type MomentKind, readMoment } from './settling.ts'

const stored = {
  DATE: /^\d{4}-\d{2}-\d{2}$/,
  DATETIME: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/,
} as const satisfies Record<MomentKind, RegExp>

/**
 * Formats a stored date, or a moment in UTC, for the reader: "1 Mar 2024, 09:30". A value in another form stays
 * unchanged, and so does one that would not be parsed back to itself, such as a year before 1000.
 */
export function writeMoment(kind: MomentKind, value: string): string {
  if (!stored[kind].test(value)) return value
  const ms = Date.parse(value)
  if (Number.isNaN(ms)) return value
  const bare = value.replace(/Z$/, '')
  const written = kind === 'DATE' ? dateOf(ms, 'utc') : isMoment(bare) ? momentInFull(bare) : value
  return readMoment(kind, written) === readMoment(kind, value) ? written : value
}

export function writePart(type: string, part: string, value: string): string {
  if (type === 'DATE') return writeMoment('DATE', value)
  const isMomentPart = type === 'DATETIME' || (type === 'PREFERENCE' && part !== 'text')
  return isMomentPart ? writeMoment('DATETIME', value) : value
}
