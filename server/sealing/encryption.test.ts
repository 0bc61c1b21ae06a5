import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'

import { Keyring, openValue, type SealedPlace, sealValue } from './encryption.ts'

const key = (id: string) => ({ id, key: randomBytes(32) })
const user = '0193c0de-0000-7000-8000-000000000001'
const place: SealedPlace = { user, entity: 'e', key: 'iban', type: 'TEXT' }

describe('a sealed value', () => {
  const { dataKey } = new Keyring([key('k1')]).create(user)

  test.each([['DE89 3704'], [''], [null], [{ currency: 'EUR', value: '12.50' }], [true], ['𝔘 ünïcode']])(
    'opens to %j',
    (value) => {
      const sealed = sealValue(dataKey, place, value)
      expect(openValue(dataKey, place, sealed)).toEqual(value)
      if (typeof value === 'string' && value !== '')
        expect(Buffer.from(sealed, 'base64').includes(value)).toBe(false)
    },
  )

  test('is another one each time: equal values cannot be told', () => {
    expect(sealValue(dataKey, place, 'x')).not.toBe(sealValue(dataKey, place, 'x'))
  })

  test('has an IV of its own: under one key none may come twice', () => {
    const ivs = Array.from({ length: 1000 }, () =>
      Buffer.from(sealValue(dataKey, place, 'x'), 'base64')
        .subarray(1, 13)
        .toString('hex'),
    )
    expect(new Set(ivs).size).toBe(1000)
    expect(ivs).not.toContain('0'.repeat(24))
  })

  test.each<[string, Partial<SealedPlace>]>([
    ['user', { user: '0193c0de-0000-7000-8000-000000000002' }],
    ['entity', { entity: 'f' }],
    ['property', { key: 'bic' }],
    ['type', { type: 'URL' }],
    ['changeset', { changeset: { id: 'c', side: 'before' } }],
  ])('does not open at another %s', (_, elsewhere) => {
    const sealed = sealValue(dataKey, place, 'x')
    expect(() => openValue(dataKey, { ...place, ...elsewhere }, sealed)).toThrow()
  })

  test('does not open altered, shortened, or with another key', () => {
    const sealed = Buffer.from(sealValue(dataKey, place, 'secret'), 'base64')
    for (let at = 0; at < sealed.length; at++) {
      const altered = Buffer.from(sealed)
      altered[at] = (altered[at] ?? 0) ^ 1
      expect(() => openValue(dataKey, place, altered.toString('base64'))).toThrow()
    }
    expect(() => openValue(dataKey, place, sealed.subarray(0, 20).toString('base64'))).toThrow()
    expect(() => openValue(randomBytes(32), place, sealed.toString('base64'))).toThrow()
  })
})

describe('a data key', () => {
  test('is read with the master key that wrapped it, also once another one wraps', () => {
    const [k1, k2] = [key('k1'), key('k2')]
    const { dataKey, stored } = new Keyring([k1]).create(user)
    const rotated = new Keyring([k2, k1])
    expect(rotated.unwrap(user, stored)).toEqual(dataKey)
    const again = rotated.rewrap(user, stored)
    expect(again.master).toBe('k2')
    expect(new Keyring([k2]).unwrap(user, again)).toEqual(dataKey)
  })

  test('is of no use to another user, nor under another id', () => {
    const [k1, k2] = [key('k1'), key('k2')]
    const ring = new Keyring([k1, { ...k1, id: 'alias' }, k2])
    const { stored } = ring.create(user)
    expect(() => ring.unwrap('someone', stored)).toThrow()
    expect(() => ring.unwrap(user, { ...stored, master: 'alias' })).toThrow()
    expect(() => ring.unwrap(user, { ...stored, master: 'k2' })).toThrow()
  })

  test('names the master key that is missing', () => {
    const { stored } = new Keyring([key('gone')]).create(user)
    expect(() => new Keyring([key('k2')]).unwrap(user, stored)).toThrow(/"gone".*ENCRYPTION_KEYS/)
  })
})
