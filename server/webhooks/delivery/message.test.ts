import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'

import { Keyring } from '../../sealing/encryption.ts'
import { createSecret, openSecrets } from '../../sealing/webhook-secrets.ts'
import { signatureHeaders } from './message.ts'

const keyring = new Keyring([{ id: 'test', key: randomBytes(32) }])
const id = '01900000-0000-7000-8000-000000000001'
const body = '{"type":"USER_CREATED","timestamp":"2024-03-01T09:30:00.000Z","data":{"user":"Ä"}}'
const subscription = '01900000-0000-7000-8000-000000000002'
const another = '01900000-0000-7000-8000-000000000003'
const inAnHour = new Date(Date.now() + 3_600_000).toISOString().slice(0, -1).replace('T', ' ')
const anHourAgo = new Date(Date.now() - 3_600_000).toISOString().slice(0, -1).replace('T', ' ')

/** Returns a stored subscription and its secret in the form shown to its owner. */
function makeSubscription(previous?: { sealed: Buffer }, until = inAnHour) {
  const { text, sealed } = createSecret(keyring, subscription)
  const row = { id: subscription, secret: sealed, previous_secret: previous?.sealed ?? null }
  return { text, sealed, row: { ...row, previous_until: previous ? until : null } }
}
const sign = ({ row }: ReturnType<typeof makeSubscription>, at = new Date()) =>
  signatureHeaders(openSecrets(keyring, row), id, at, body)
const verifies = (secret: string, headers: Record<string, string>, text = body) => {
  try {
    return new Webhook(secret).verify(text, headers) !== undefined
  } catch {
    return false
  }
}

describe('a signature', () => {
  test('is one to an independent verifier, which has the secret as it was told', () => {
    const { text, ...made } = makeSubscription()
    expect(text).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(new Webhook(text).verify(body, sign({ text, ...made }))).toEqual(JSON.parse(body))
    expect(sign({ text, ...made })['webhook-id']).toBe(id)
  })

  test('is the one that the standard has for the same message', () => {
    const { text, ...made } = makeSubscription()
    const at = new Date('2024-03-01T09:30:00Z')
    expect(sign({ text, ...made }, at)).toEqual({
      'webhook-id': id,
      'webhook-timestamp': '1709285400',
      'webhook-signature': new Webhook(text).sign(id, at, body),
    })
  })

  test('does not fit another body, id, time or secret, nor an old or future time', () => {
    const made = makeSubscription()
    const headers = sign(made)
    expect(verifies(made.text, headers)).toBe(true)
    expect(verifies(made.text, headers, body.replace('Ä', 'A'))).toBe(false)
    expect(verifies(made.text, headers, `${body} `)).toBe(false)
    expect(verifies(made.text, { ...headers, 'webhook-id': subscription })).toBe(false)
    const later = String(Number(headers['webhook-timestamp']) + 1)
    expect(verifies(made.text, { ...headers, 'webhook-timestamp': later })).toBe(false)
    expect(verifies(makeSubscription().text, headers)).toBe(false)
    for (const ms of [-6 * 60_000, 6 * 60_000])
      expect(verifies(made.text, sign(made, new Date(Date.now() + ms)))).toBe(false)
  })

  test('is made with both secrets while one is rotated out, and with the new one alone after that', () => {
    const old = makeSubscription()
    const rotated = makeSubscription(old)
    expect([old.text, rotated.text].map((text) => verifies(text, sign(rotated)))).toEqual([true, true])
    const done = makeSubscription(old, anHourAgo)
    expect([old.text, done.text].map((text) => verifies(text, sign(done)))).toEqual([false, true])
    expect(sign(done)['webhook-signature']).not.toContain(' ')
  })
})

describe('a stored secret', () => {
  test('shows nothing of itself, and opens for its own subscription and under its own master key alone', () => {
    const { text, row } = makeSubscription()
    expect(row.secret.includes(Buffer.from(text.slice(6), 'base64'))).toBe(false)
    expect(() => openSecrets(keyring, { ...row, id: another })).toThrow()
    const impostor = new Keyring([{ id: 'test', key: randomBytes(32) }])
    expect(() => openSecrets(impostor, row)).toThrow()
    const without = new Keyring([{ id: 'new', key: randomBytes(32) }])
    expect(() => openSecrets(without, row)).toThrow('The master key "test" is needed')
  })
})
