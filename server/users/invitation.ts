import { createHmac } from 'node:crypto'

const dayMs = 86_400_000
const validDays = 30

/**
 * The sign-up invitation of a user: `<INVITE_URL>?user=<id>&token=<expiry>.<HMAC>`. It works for 30 to 31 days; the
 * expiry is cut to whole days, so that the link of a day is the same on every read.
 */
export function inviteUrl(base: string, secret: Buffer, userId: string, nowMs: number): string {
  const expiresDay = Math.floor(nowMs / dayMs) + validDays + 1
  const signature = createHmac('sha256', secret).update(`${userId}.${expiresDay}`).digest('base64url')
  return `${base}?user=${userId}&token=${expiresDay}.${signature}`
}
