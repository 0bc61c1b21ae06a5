import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

import { emailKey } from '#contract/index.ts'
import type { IndexKey } from '../sealing/data-keys.ts'

/** Identifiers by which somebody asks whether they were deleted. */
export interface Identifiers {
  readonly email?: string | null | undefined
  readonly ref?: string | null | undefined
}

/** Bytes of a digest that are stored, of 32. */
const digestBytes = 16

/**
 * Derives the key of the digests that are kept with deletions for good. It is another one than that of the marks, which are kept until
 * segments and jobs are emptied. The key of the blind index stays when master keys are replaced.
 */
export function deriveDigestKey(indexKey: IndexKey): KeyObject {
  return createSecretKey(
    Buffer.from(hkdfSync('sha256', indexKey(), '', 'data-store register of erasures', 32)),
  )
}

/**
 * Returns the digest of each identifier. They cannot be made again once the user is deleted. So whoever changes the form of an
 * identifier has to look for the digests of the earlier forms as well.
 */
export function digestsOf(secret: KeyObject, { email, ref }: Identifiers): string[] {
  const forms = {
    email: emailKey(email?.trim() ?? ''),
    ref: (ref ?? '').normalize('NFC').trim().toLowerCase(),
  }
  return Object.entries(forms).flatMap((named) =>
    named[1] === ''
      ? []
      : [
          createHmac('sha256', secret)
            .update(JSON.stringify(named))
            .digest()
            .subarray(0, digestBytes)
            .toString('base64url'),
        ],
  )
}
