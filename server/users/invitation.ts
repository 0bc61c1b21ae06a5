import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'

import { dayMs } from '#contract/index.ts'

const validDays = 30

/**
 * Returns the sign-up invitation of a user: `<INVITE_URL>?user=<id>&token=<expiry>.<HMAC>`. It works for 30 to 31
 * days. The expiry is cut to whole days, so that every read on one day gives the same link.
 */
export function inviteUrl(base: string, secret: KeyObject, userId: string, nowMs: number): string {
  const expiresDay = Math.floor(nowMs / dayMs) + validDays + 1
  return `${base}?user=${userId}&token=${expiresDay}.${signature(secret, userId, expiresDay)}`
}

export function checkInvitation(
  secret: KeyObject,
  userId: string,
  token: string,
  nowMs: number,
): 'valid' | 'expired' | 'invalid' {
  const [, expiresDay = '', given = ''] = /^(\d{1,9})\.([\w-]{43})$/.exec(token) ?? []
  const expected = signature(secret, userId, Number(expiresDay))
  if (given.length !== expected.length || !timingSafeEqual(Buffer.from(given), Buffer.from(expected)))
    return 'invalid'
  return nowMs < Number(expiresDay) * dayMs ? 'valid' : 'expired'
}

function signature(secret: KeyObject, userId: string, expiresDay: number): string {
  return createHmac('sha256', secret).update(`${userId}.${expiresDay}`).digest('base64url')
}
