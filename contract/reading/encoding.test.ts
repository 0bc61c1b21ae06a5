import { describe, expect, test } from 'vitest'

import { decodeText, TextReader } from './encoding.ts'

const text = 'Name;E-mail;Ref\r\nJürgen Klein – Größe;rosa@example.org;B3\r\n'
const utf16 = (isLittle: boolean, written = text) =>
  Uint8Array.from(
    Array.from({ length: written.length }, (_, index) => written.charCodeAt(index)).flatMap((code) =>
      isLittle ? [code & 255, code >> 8] : [code >> 8, code & 255],
    ),
  )
const latin = (bytes: string) => new Uint8Array(Buffer.from(bytes, 'latin1'))
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

  test('Windows-1252', () => {
    expect(decodeText(windows)).toEqual({ encoding: 'windows-1252', text: 'Name\nJosé € –\n' })
  })

  test.each<[string, string, string]>([
    ['windows-1250', 'Imi\xea;Nazwisko\n\xa3ukasz;\xaf\xf3\xb3\xe6\n', 'Imię;Nazwisko\nŁukasz;Żółć\n'],
    ['windows-1251', '\xc8\xec\xff;\xb9\n\xdf\xed\xe0;7\n', 'Имя;№\nЯна;7\n'],
    [
      'windows-1251',
      '\xb2\xcc\xdf;e-mail\n\xca\xe8\xbf\xe2;a@example.org\n',
      'ІМЯ;e-mail\nКиїв;a@example.org\n',
    ],
    ['shift_jis', '\x96\xbc\x91\x4f,\x83\x81\x81\x5b\x83\x8b\n', '名前,メール\n'],
    ['windows-1252', 'Gr\xf6\xdfe;\xc4\xd6\xdc \xe4\xf6\xfc\n5 m\xb3;30\x80\n', 'Größe;ÄÖÜ äöü\n5 m³;30€\n'],
    ['windows-1252', '\xbfqu\xe9?;\xa3per;1\xa0234\n', '¿qué?;£per;1\u00a0234\n'],
    ['windows-1252', '\xde\xf3r\xf0ur;S\xf8ren;\xc9t\xe9\n', 'Þórður;Søren;Été\n'],
  ])('%s, by how its words look: %j', (encoding, bytes, read) => {
    expect(decodeText(latin(bytes))).toEqual({ encoding, text: read })
  })

  test('unless letters are in none that is known', () => {
    const chinese = latin('\xd0\xd5\xc3\xfb,email\n\xd5\xc5\xce\xb0,z@example.org\n')
    expect(decodeText(chinese)).toEqual({ problem: 'unknown' })
    expect(decodeText(chinese, 'gb18030')).toMatchObject({ text: '姓名,email\n张伟,z@example.org\n' })
  })
})

test('a zero in a text does not make it UTF-16', () => {
  expect(decodeText(latin('Name,E-mail\nRo\0sa,r@example.org\n'))).toEqual({ problem: 'binary' })
})

test('the sign that ends a file of DOS is no reason to refuse it', () => {
  expect(decodeText(latin('Name,Ref\r\nRosa,1\r\n\x1a'))).toMatchObject({ encoding: 'utf-8' })
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
