import { deletionReference, type Endpoint } from '#contract/index.ts'
import { Refusal } from '../errors/problem.ts'
import { decodeHeader, readChangeReason } from './change-reason.ts'

/**
 * Returns the reason for a change, or the reference of a deletion, from the request's headers. Throws a Refusal (400).
 */
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
 * Reads `Deletion-Reference`, encoded like `Change-Reason`; blank counts as none. A `Change-Reason` is refused instead
 * of ignored, because it would be deleted with the user, or outlive the person whom it describes.
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

/** Returns the refusal of a deletion without a reference, if the settings require a reason for each change. */
export function referenceRequired(): Refusal {
  return new Refusal(
    'reference_required',
    'This service wants a reference for each deletion of a user: send it as Deletion-Reference. Nothing was deleted.',
  )
}
