import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { copyText } from '../ui/clipboard.ts'
import { emptyClipboard, isClipboardKept } from './clipboard-guard.ts'

/** Content of the clipboard. */
let clipboard: string
let mayRead: boolean
let mayWrite: boolean | 'in an act'
let hasFocus: boolean
let isAct: boolean

const createRefusal = () => new DOMException('Not allowed.', 'NotAllowedError')

beforeEach(() => {
  clipboard = 'something older'
  mayRead = true
  mayWrite = true
  hasFocus = true
  isAct = false
  vi.useFakeTimers()
  vi.spyOn(document, 'hasFocus').mockImplementation(() => hasFocus)
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: {
      writeText: async (text: string) => {
        if (!hasFocus || mayWrite === false || (mayWrite === 'in an act' && !isAct)) throw createRefusal()
        clipboard = text
      },
      readText: async () => {
        if (!hasFocus || !mayRead) throw createRefusal()
        return clipboard
      },
    },
  })
  Object.defineProperty(navigator, 'permissions', {
    configurable: true,
    value: { query: async () => ({ state: mayRead ? 'granted' : 'prompt' }) },
  })
})
afterEach(async () => {
  // Leaves no value to be emptied to the next test.
  Object.assign(navigator.clipboard, { writeText: async () => undefined })
  await copyText('')
  vi.useRealTimers()
  vi.restoreAllMocks()
  Reflect.deleteProperty(navigator, 'permissions')
  Reflect.deleteProperty(navigator, 'clipboard')
})

const settle = () => vi.advanceTimersByTimeAsync(1000)
const sleep = (ms: number) => vi.setSystemTime(Date.now() + ms)

async function press() {
  isAct = true
  window.dispatchEvent(new MouseEvent('click'))
  await vi.advanceTimersByTimeAsync(0)
  isAct = false
}

/** Copies what is selected, as the keys do; nothing if the text is empty. */
function copyByHand(text: string) {
  if (text !== '') clipboard = text
  vi.spyOn(globalThis, 'getSelection').mockReturnValue({
    toString: () => text,
    containsNode: () => false,
  } as unknown as Selection)
  document.dispatchEvent(new Event('copy', { bubbles: true }))
}

test.each([true, false])(
  'a sensitive value leaves the clipboard after a minute; may be read: %s',
  async (may) => {
    mayRead = may
    await copyText('secret', true)
    await vi.advanceTimersByTimeAsync(59_000)
    expect(clipboard).toBe('secret')
    await vi.advanceTimersByTimeAsync(2000)
    expect(clipboard).toBe('')
    clipboard = 'later'
    await vi.advanceTimersByTimeAsync(120_000)
    expect(clipboard).toBe('later')
  },
)

test('any other text stays', async () => {
  await copyText('an id')
  await vi.advanceTimersByTimeAsync(120_000)
  emptyClipboard()
  await settle()
  expect(clipboard).toBe('an id')
})

test('a sensitive value leaves with the lock or the sign-out, and after a sleep', async () => {
  await copyText('secret', true)
  emptyClipboard()
  await settle()
  expect(clipboard).toBe('')
  await copyText('secret', true)
  sleep(31 * 60_000)
  window.dispatchEvent(new Event('pointermove'))
  await vi.advanceTimersByTimeAsync(0)
  expect(clipboard).toBe('')
})

test.each<[string, () => unknown]>([
  ['by a button', () => copyText('later')],
  ['by hand', () => copyByHand('later')],
  [
    'in another program',
    () => {
      clipboard = 'later'
    },
  ],
])('something that was copied later stays: %s', async (_how, copy) => {
  await copyText('secret', true)
  await copy()
  emptyClipboard()
  await vi.advanceTimersByTimeAsync(120_000)
  expect(clipboard).toBe('later')
})

test('keys that copy nothing do not keep the value', async () => {
  await copyText('secret', true)
  copyByHand('')
  await vi.advanceTimersByTimeAsync(61_000)
  expect(clipboard).toBe('')
})

test('a value that is selected and copied leaves as well', async () => {
  const shown = document.body.appendChild(document.createElement('span'))
  shown.dataset['revealed'] = 'true'
  shown.textContent = 'secret'
  const selection = getSelection()
  selection?.selectAllChildren(document.body)
  clipboard = 'secret'
  shown.dispatchEvent(new Event('copy', { bubbles: true }))
  await vi.advanceTimersByTimeAsync(61_000)
  expect(clipboard).toBe('')
  selection?.removeAllRanges()
  shown.remove()
})

test('a page without the focus waits for it', async () => {
  await copyText('secret', true)
  hasFocus = false
  await vi.advanceTimersByTimeAsync(120_000)
  expect([clipboard, isClipboardKept()]).toEqual(['secret', false])
  hasFocus = true
  window.dispatchEvent(new Event('focus'))
  await vi.advanceTimersByTimeAsync(0)
  expect(clipboard).toBe('')
})

test('a browser that allows emptying only after a key or click is asked at the next one, silently', async () => {
  await copyText('secret', true)
  mayWrite = 'in an act'
  await vi.advanceTimersByTimeAsync(120_000)
  expect([clipboard, isClipboardKept()]).toEqual(['secret', false])
  await press()
  expect([clipboard, isClipboardKept()]).toEqual(['', false])
})

test('a browser that never allows it leads to a word about it, until something else is copied', async () => {
  await copyText('secret', true)
  mayWrite = false
  await vi.advanceTimersByTimeAsync(61_000)
  await press()
  expect(isClipboardKept()).toBe(true)
  copyByHand('later')
  expect(isClipboardKept()).toBe(false)
})

test('a failure to empty the clipboard is shown at once when the session locks', async () => {
  await copyText('secret', true)
  mayWrite = 'in an act'
  emptyClipboard()
  await settle()
  expect(isClipboardKept()).toBe(true)
  await press()
  expect([clipboard, isClipboardKept()]).toEqual(['', false])
})

const copiedKey = 'data-store.copied'
/** Tells this page what another tab has written, or what the page before it has left. */
const hearStorage = () => dispatchEvent(new StorageEvent('storage', { key: copiedKey }))

test('a page that is left empties it first, or the next load does', async () => {
  await copyText('secret', true)
  window.dispatchEvent(new Event('beforeunload'))
  await vi.advanceTimersByTimeAsync(0)
  expect(clipboard).toBe('')

  await copyText('secret', true)
  mayWrite = false
  window.dispatchEvent(new Event('beforeunload'))
  await vi.advanceTimersByTimeAsync(0)
  expect(clipboard).toBe('secret')
  mayWrite = true
  hearStorage()
  await settle()
  expect(clipboard).toBe('')
})

test('the next load repeats the emptying of a page that was left, which the browser may have dropped', async () => {
  const load = async () => {
    vi.resetModules()
    await import('./clipboard-guard.ts')
    await settle()
  }
  const leave = async () => {
    await copyText('secret', true)
    window.dispatchEvent(new Event('beforeunload'))
    await vi.advanceTimersByTimeAsync(0)
    clipboard = 'secret'
  }
  await leave()
  await load()
  expect(clipboard).toBe('')
  expect(localStorage.getItem(copiedKey)).toBeNull()

  // Much later, the clipboard holds something else.
  await leave()
  clipboard = 'later'
  sleep(11_000)
  await load()
  expect(clipboard).toBe('later')

  await leave()
  hasFocus = false
  await load()
  clipboard = 'later'
  await vi.advanceTimersByTimeAsync(11_000)
  hasFocus = true
  window.dispatchEvent(new Event('focus'))
  await settle()
  expect(clipboard).toBe('later')
})

test('another tab, which does not know the value, empties it as well; so does the next load', async () => {
  const expectCopied = (atMs: number | null) => {
    if (atMs === null) localStorage.removeItem(copiedKey)
    else localStorage.setItem(copiedKey, String(atMs))
    hearStorage()
  }
  clipboard = 'of another tab'
  expectCopied(Date.now() - 30_000)
  await vi.advanceTimersByTimeAsync(28_000)
  // Leaving this page says nothing about that one.
  window.dispatchEvent(new Event('beforeunload'))
  await settle()
  expect(clipboard).toBe('of another tab')
  await vi.advanceTimersByTimeAsync(2000)
  expect(clipboard).toBe('')
  expect(localStorage.getItem(copiedKey)).toBeNull()

  clipboard = 'of another tab'
  expectCopied(Date.now())
  expectCopied(null)
  emptyClipboard()
  await vi.advanceTimersByTimeAsync(61_000)
  expect(clipboard).toBe('of another tab')

  expectCopied(Date.now() - 8 * 3_600_000)
  await settle()
  expect(clipboard).toBe('of another tab')
})
