import { deletionReference, type Endpoint } from '#contract/index.ts'
import { decodeHeader, readChangeReason } from './change-reason.ts'
import { Refusal } from '../problem.ts'

/** Why a change is made or, of a deletion, what it refers to: as the headers of a request say it. Throws a Refusal (400). */
export function readReasons(
  { reasoned, referenced }: Endpoint,
  lines: (name: string) => readonly string[],
): { readonly reason?: string | undefined; readonly reference?: string | undefined } {
  if (reasoned) return { reason: readChangeReason(lines('change-reason')) }
  if (referenced)
    return { reference: readDeletionReference(lines('deletion-reference'), lines('change-reason')) }
  return {}
}

/**
 * `Deletion-Reference`, spelled as `Change-Reason` is; blank is none. A reason would be gone with the user or outlive the person that
 * it tells of: it is refused instead of dropped.
 */
function readDeletionReference(
  [header, ...more]: readonly string[],
  reasons: readonly string[],
): string | undefined {
  if (reasons.length > 0)
    throw new Refusal(
      'invalid_change_reason',
      'The deletion of a user keeps no Change-Reason. Send a Deletion-Reference without personal data, such as a ticket number, or nothing. Nothing was deleted.',
    )
  if (header === undefined) return undefined
  const read = deletionReference.safeParse(decodeHeader(header))
  if (!read.success || more.length > 0)
    throw new Refusal(
      'invalid_deletion_reference',
      'Send one Deletion-Reference of at most 100 characters, as UTF-8 and percent-encoded, without control characters and e-mail addresses, or none. Nothing was deleted.',
    )
  return read.data === '' ? undefined : read.data
}

/** Refuses a deletion without a reference, where the setting wants a reason for each change. */
export function referenceRequired(): Refusal {
  return new Refusal(
    'reference_required',
    'This service wants a reference for each deletion of a user: send it as Deletion-Reference. Nothing was deleted.',
  )
}
