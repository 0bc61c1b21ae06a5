import { describe, expect, test } from 'vitest'

import { type DataType, findHidden, readValue, trimEnds, zonelessDatetime } from './index.ts'

describe('an invisible character', () => {
  test.each([
    [' K-1 ', 'K-1'],
    ['\u200bK-1\u200b', 'K-1'],
    ['\u00a0\u3000K-1\u2800\ufeff', 'K-1'],
    ['\tK 1\r\n', 'K 1'],
    ['\u200e\u202aK-1\u202c', 'K-1'],
    ['K-1\u00ad', 'K-1'],
    ['K-1\u{e0041}', 'K-1'],
    ['ㅤ', ''],
    [' \u200b ', ''],
    ['', ''],
    ['❤\ufe0f ', '❤\ufe0f'],
    ['👩\u200d⚕\ufe0f', '👩\u200d⚕\ufe0f'],
    ['👍🏽\u200d', '👍🏽'],
    ['🏴\u{e0067}\u{e0062}\u{e007f}', '🏴\u{e0067}\u{e0062}\u{e007f}'],
    ['葛\u{e0100}', '葛\u{e0100}'],
    ['1\ufe0f\u20e3', '1\ufe0f\u20e3'],
    ['نام\u200c', 'نام'],
    ['𝒳', '𝒳'],
  ])('is left out at the ends: %j is %j', (text, trimmed) => {
    expect(trimEnds(text)).toBe(trimmed)
  })

  test.each([
    ['K-\u200b1', 'There is an invisible character (U+200B) before the “1”: remove it.'],
    ['K\u200b\u00ad -1', 'There is an invisible character (U+200B) before the “-”: remove it.'],
    ['K-\u202e1', 'There is an invisible character (U+202E) before the “1”: remove it.'],
    ['exam\nple', 'There is a line break before the “p”: remove it.'],
    ['a\u2028b', 'There is a line break before the “b”: remove it.'],
    ['a\tb', 'There is a tab before the “b”: remove it.'],
    ['a\u0007👍', 'There is a control character (U+0007) before the “👍”: remove it.'],
    ['plain\u200dtext', 'There is an invisible character (U+200D) before the “t”: remove it.'],
    ['1\ufe0f2', 'There is an invisible character (U+FE0F) before the “2”: remove it.'],
  ])('is named within: %j', (text, sentence) => {
    expect(findHidden(text)).toBe(sentence)
  })

  test.each([
    'نام\u200cخانوادگی',
    'क्\u200dष',
    '👩\u200d⚕\ufe0f x',
    '葛\u{e0100}城',
    'K 1',
    'Ä\u0301',
    'ไทย',
    '',
  ])('is let be where it changes what is seen: %j', (text) => {
    expect(findHidden(text)).toBeUndefined()
  })

  test('is found in a megabyte of text without rereading it', () => {
    const text = `a${' '.repeat(1_000_000)}b`
    expect(trimEnds(`${text}${' \u200b'.repeat(100_000)}`)).toBe(text)
    expect(findHidden(`${text}\u200b1`)).toContain('before the “1”')
  })
})

const user = '01890a5d-ac96-774b-bcce-b302099a8057'

describe('a value of a type', () => {
  test.each<[DataType, unknown, unknown]>([
    ['DATE', ' 2024-02-29\u200e', '2024-02-29'],
    ['DATETIME', '\ufeff2024-03-01T09:30:00Z ', '2024-03-01T09:30:00.000Z'],
    ['TIME', '09:30\u00a0', '09:30'],
    ['DECIMAL', '\t12.340 ', '12.340'],
    ['EMAIL', ' ana@example.org\n', 'ana@example.org'],
    ['URL', '\u200bhttps://example.org/\t', 'https://example.org/'],
    ['CURRENCY', { currency: 'EUR ', value: ' 12.50' }, { currency: 'EUR', value: '12.50' }],
    ['RELATIONSHIP', { user: ` ${user}` }, { user }],
    ['TEXT', ' kept \u200b', ' kept \u200b'],
  ])('%s %j is stored as %j', (type, given, value) => {
    expect(readValue(type, given)).toEqual({ value })
  })

  test.each<[DataType, unknown, string]>([
    ['DATE', '2024-\u200b02-29', '“0”'],
    ['DATETIME', '2024-03-01T\u200e09:30:00Z', '“0”'],
    ['TIME', '09\u00ad:30', '“:”'],
    ['DECIMAL', '12\u2060.5', '“.”'],
    ['EMAIL', 'an\u200ba@example.org', '“a”'],
    ['URL', 'https://exam\nple.org/', 'a line break before the “p”'],
    ['URL', 'https://example.org/a\tb', 'a tab before the “b”'],
    ['URL', 'https://example.org/\u202eb', '“b”'],
    ['CURRENCY', { currency: 'E\u200bUR', value: '1' }, '“U”'],
    ['RELATIONSHIP', { user: user.replace('-', '\u200b-') }, '“-”'],
  ])('%s %j is refused by the name of what is hidden in it', (type, given, name) => {
    expect(readValue(type, given).issues).toEqual([
      expect.objectContaining({ detail: expect.stringContaining(name) }),
    ])
  })

  test.each(['0000-05-05', '0000-01-01'])('DATE %s is refused: there is no such year', (given) => {
    expect(readValue('DATE', given).issues).toHaveLength(1)
    expect(readValue('DATE', '0001-01-01')).toEqual({ value: '0001-01-01' })
  })

  test('a datetime without a zone follows the same rules', () => {
    expect(zonelessDatetime.parse(' 2024-03-01T09:30:00\u200b')).toBe('2024-03-01T09:30:00.000')
    expect(zonelessDatetime.safeParse('2024-03-01T09:\u200b30:00').error?.issues[0]?.message).toContain('“3”')
  })
})
