import { changeReason } from '#contract/index.ts'
import { Refusal } from '../errors/problem.ts'

/** A caller's reason for a change, in their words, and whether the service requires one. */
export interface ChangeReason {
  /** undefined if none was given. */
  readonly given?: string | undefined
  readonly required: boolean
}

/** Reads `Change-Reason`, which is percent-encoded because headers hold only ASCII. Throws a Refusal (400). */
export function readChangeReason([header, ...more]: readonly string[]): string | undefined {
  if (header === undefined) return undefined
  const read = changeReason.safeParse(decodeHeader(header))
  if (read.success && more.length === 0) return read.data
  throw new Refusal(
    'invalid_change_reason',
    'Send one Change-Reason of 1 to 500 characters, as UTF-8 and percent-encoded, or none. Nothing was changed.',
  )
}

/** Decodes a header; undefined if it is not percent-encoded UTF-8. */
export function decodeHeader(header: string): string | undefined {
  try {
    return /^[\x20-\x7e]*$/.test(header) ? decodeURIComponent(header) : undefined
  } catch {
    return undefined
  }
}

/** Refuses a change without a reason, if the settings require one. */
export function requireReason({ required, given }: ChangeReason): void {
  if (required && given === undefined) throw reasonRequired()
}

/** Returns the refusal of a write that stores a sealed value in clear, without a reason. */
export function reasonToOpen(): Refusal {
  return new Refusal(
    'reason_required',
    'This would store a sensitive value in clear, and this service shows one only with a reason: send it as Change-Reason. Nothing was changed.',
  )
}

/** Returns the refusal of a change without a reason. */
export function reasonRequired(how = 'send it as Change-Reason'): Refusal {
  return new Refusal(
    'reason_required',
    `This service wants a reason for each change: ${how}. Nothing was changed.`,
  )
}
