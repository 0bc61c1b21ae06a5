import { render } from '@testing-library/react'
import { IntlMessageFormat } from 'intl-messageformat'
import { describe, expect, expectTypeOf, test } from 'vitest'

import * as catalogues from '../index.ts'
import { defineMessages } from './message.ts'
import { isPseudo, figureSpace, lengthen, lengthenedMessage, withoutEndSpaces } from './pseudo.ts'

const text = defineMessages({
  plain: 'Nothing is < 5 here',
  found: '{count, plural, one {# user} other {# users}} in “{segment}”',
  status: { job: 'The job {state, select, running {goes on} other {has ended}}.' },
  share: '{part, number, share} of all users',
})

describe.skipIf(isPseudo)('a message', () => {
  test('without parts is a string, with parts a function that asks for each by name', () => {
    expect(text.plain).toBe('Nothing is < 5 here')
    expect(text.found({ count: 1, segment: 'Lyon' })).toBe('1 user in “Lyon”')
    expect(text.found({ count: 8031, segment: '{Lyon}' })).toBe('8,031 users in “{Lyon}”')
    expect(text.status.job({ state: 'running' })).toBe('The job goes on.')
    expect(text.status.job({ state: 'failed' })).toBe('The job has ended.')
    expect(text.share({ part: 0.1234 })).toBe('12% of all users')
    expectTypeOf(text.plain).toEqualTypeOf<string>()
    expectTypeOf(text.found).parameter(0).toEqualTypeOf<Readonly<{ count: number; segment: string }>>()
  })

  test('takes elements as parts', () => {
    const { container } = render(
      text.found.withElements({ count: 2, segment: <a href="/segments/1">Lyon</a> }),
    )
    expect(container).toHaveTextContent('2 users in “Lyon”')
    expect(container.querySelector('a')).toHaveTextContent('Lyon')
  })

  test.each([
    ['Hebrew', 'דנה (2)'],
    ['Arabic', 'ليلى 7'],
    ['a mark that turns what follows', '\u202eLyon'],
  ])('keeps a part with %s from turning the words beside it', (_, segment) => {
    expect(text.found({ count: 2, segment })).toBe(`2 users in “\u2068${segment}\u2069”`)
  })

  test('closes what a part leaves open, and opens nothing for a part that is written from left to right', () => {
    expect(text.found({ count: 2, segment: 'a\u2067b' })).toBe('2 users in “\u2068ab\u2069”')
    expect(text.found({ count: 2, segment: 'a\u2069ב' })).toBe('2 users in “\u2068aב\u2069”')
    expect(text.found({ count: 2, segment: 'Lyon, 2' })).toBe('2 users in “Lyon, 2”')
  })

  test('isolates elements as elements, and nothing in a text that is stored', () => {
    const segment = <a href="/segments/1">דנה</a>
    const { container } = render(text.found.withElements({ count: 2, segment }))
    expect(container).toHaveTextContent('2 users in “דנה”')
    expect(container.querySelector('bdi > a')).toHaveTextContent('דנה')
    expect(text.found.asValue({ count: 2, segment: 'דנה' })).toBe('2 users in “דנה”')
  })
})

describe.skipIf(isPseudo)('the catalogues', () => {
  /** Supplies any part of any message: 1 is valid as a number, a text and a time. */
  const anyParts = new Proxy({}, { has: () => true, get: () => 1 })

  function entries(catalogue: object, path: string): (readonly [path: string, text: unknown])[] {
    return Object.entries(catalogue).flatMap(([key, entry]: [string, unknown]) =>
      typeof entry === 'object' && entry !== null
        ? entries(entry, `${path}.${key}`)
        : [[`${path}.${key}`, entry] as const],
    )
  }

  test('hold messages that can be read', () => {
    const sentences = entries(catalogues, '').filter(([, entry]) => typeof entry === 'function')
    expect(sentences.length).toBeGreaterThan(400)
    const unreadable = sentences.filter(([, entry]) => {
      if (typeof entry !== 'function' || !('asValue' in entry)) return true
      try {
        return String((entry.asValue as (parts: object) => unknown)(anyParts)).includes('{')
      } catch {
        return true
      }
    })
    expect(unreadable.map(([path]) => path)).toEqual([])
  })
})

describe('the pseudo-locale', () => {
  const plain = (words: string) => words.trim().replaceAll(/\s+/g, ' ')

  test('makes each word 40 % longer, and is read as before', () => {
    const longer = lengthen('Save 3 changes…')
    expect(longer).toHaveLength('Save 3 changes…'.length + 2 + 4)
    expect(plain(longer)).toBe('Save 3 changes…')
  })

  test('puts no space between a text that is part of a message and what follows it', () => {
    const parts = withoutEndSpaces({ clause: lengthen('who have no ref'), count: 1 })
    expect(
      plain(new IntlMessageFormat('Users {clause}.').format(parts as { clause: string }) as string),
    ).toBe('Users who have no ref.')
  })

  test('leaves the parts of a message, and what touches them, as they are', () => {
    const message = new IntlMessageFormat('Group “un{name}” is gone').getAst()
    expect(new IntlMessageFormat(lengthenedMessage(message)).format({ name: 'x y' })).toBe(
      `Group${figureSpace.repeat(2)} “unx y” is${figureSpace} gone${figureSpace.repeat(2)}`,
    )
  })
})
