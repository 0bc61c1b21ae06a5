import { describe, expect, test } from 'vitest'

import { decodeText, TextReader } from './encoding.ts'

const text = 'Name;E-mail;Ref\r\nJürgen Klein – Größe;rosa@example.org;B3\r\n'
const utf16 = (isLittle: boolean, written = text) =>
  Uint8Array.from(
    Array.from({ length: written.length }, (_, index) => written.charCodeAt(index)).flatMap((code) =>
      isLittle ? [code & 255, code >> 8] : [code >> 8, code & 255],
    ),
  )
const russian = 'Имя;Почта\r\nЮрий;—\r\n'
// "José € –" as Windows-1252 has it.
const windows = Uint8Array.from([
  ...new TextEncoder().encode('Name\nJos'),
  0xe9,
  0x20,
  0x80,
  0x20,
  0x96,
  0x0a,
])

describe('the encoding of a file is found', () => {
  test.each([
    ['UTF-8', 'utf-8', new TextEncoder().encode(text)],
    ['UTF-8 with a mark', 'utf-8', new TextEncoder().encode(`\uFEFF${text}`)],
    ['UTF-16 with a mark', 'utf-16le', utf16(true, `\uFEFF${text}`)],
    ['UTF-16 with a mark, big-endian', 'utf-16be', utf16(false, `\uFEFF${text}`)],
    ['UTF-16 without a mark', 'utf-16le', utf16(true)],
    ['UTF-16 without a mark, big-endian', 'utf-16be', utf16(false)],
  ])('%s', (_, encoding, bytes) => {
    expect(decodeText(bytes)).toEqual({ encoding, text })
  })

  test('without Latin letters in UTF-16', () => {
    expect(decodeText(utf16(true, russian))).toEqual({ encoding: 'utf-16le', text: russian })
  })

  test('Windows-1252, which is what is left', () => {
    expect(decodeText(windows)).toEqual({ encoding: 'windows-1252', text: 'Name\nJosé € –\n' })
  })
})

test('a chosen encoding is kept to', () => {
  expect(decodeText(windows, 'utf-8')).toEqual({ problem: 'encoding' })
  expect(decodeText(new TextEncoder().encode('é'), 'windows-1252')).toMatchObject({ text: 'Ã©' })
})

test('a file that is no text is refused', () => {
  expect(decodeText(Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0]))).toEqual({ problem: 'workbook' })
  expect(decodeText(Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0]))).toEqual({ problem: 'workbook' })
  const picture = Uint8Array.from({ length: 4096 }, (_, index) => (index * 7919 + (index >> 3)) % 256)
  expect(decodeText(picture)).toEqual({ problem: 'binary' })
  expect(decodeText(picture.filter((byte) => byte > 0))).toEqual({ problem: 'binary' })
})

describe('a file that comes in pieces', () => {
  const long = 'Name;Ref\r\n'.repeat(10_000)
  const read = (bytes: Uint8Array, size: number) => {
    const reader = new TextReader()
    let found = ''
    for (let at = 0; at < bytes.length; at += size) found += reader.push(bytes.subarray(at, at + size))
    return { text: found + reader.end(), encoding: reader.encoding }
  }

  test.each([1000, 65_537, 99_991, 200_000])('is read as the whole is, %s bytes at a time', (size) => {
    for (const written of [long + text + long, long + russian + long]) {
      expect(read(new TextEncoder().encode(written), size)).toEqual({ encoding: 'utf-8', text: written })
      expect(read(utf16(true, written), size)).toEqual({ encoding: 'utf-16le', text: written })
    }
  })

  test.each([100_000, 100_001, 100_008, 100_009])(
    'is Windows-1252 if its first letter beyond ASCII says so, with pieces of %s bytes',
    (size) => {
      const bytes = Buffer.concat([new TextEncoder().encode(long), windows])
      expect(read(bytes, size)).toEqual({ encoding: 'windows-1252', text: `${long}Name\nJosé € –\n` })
    },
  )

  test('is in no encoding that can be found if letters of UTF-8 came before others', () => {
    const bytes = Buffer.concat([new TextEncoder().encode(`é${long}`), windows])
    expect(() => read(bytes, 80_000)).toThrow('encoding')
  })
})
