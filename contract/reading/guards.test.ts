import { expect, test } from 'vitest'

import { guardCell, stripGuard } from './guards.ts'

test.each([
  '=1+1',
  '+49 30 1234',
  '-cmd',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  ' =1',
  '＝1+1',
  '＋1',
  '－1',
  '＠A1',
  '\u200b=1',
  '-5-cmd',
  '-1,5',
  '--5',
  "'=1",
  "''=1",
])('%j would run as a formula: an apostrophe precedes it', (text) => {
  expect(guardCell(text)).toBe(`'${text}`)
  expect(stripGuard(`'${text}`)).toBe(text)
})

test.each(['-5', '-5.25', "'-5", 'a=b', "O'Neill", "'quoted'", '', '5', '1-2', 'a@b.org', "'"])(
  '%j runs nothing and stays as it is',
  (text) => {
    expect(guardCell(text)).toBe(text)
    expect(stripGuard(text)).toBe(text)
  },
)

test.each([
  ["'0038", '0038'],
  ["'0170 123-45", '0170 123-45'],
  ['="0038"', '0038'],
  ['="4 ""x"""', '4 "x"'],
])('%j keeps a text from being read as a number: it is %j', (cell, text) => {
  expect(stripGuard(cell)).toBe(text)
  // A value that happens to look so is written with a guard of its own.
  expect(stripGuard(guardCell(cell))).toBe(cell)
})

test.each(["'n' roll", "'80s music", "O'0038", '="a', '=SUM("1")'])('%j is no guard', (cell) => {
  expect(stripGuard(cell)).toBe(cell)
})
