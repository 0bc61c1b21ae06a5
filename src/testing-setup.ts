import '@testing-library/jest-dom/vitest'

import { notifications } from '@mantine/notifications'
import { cleanup, configure, getConfig } from '@testing-library/react'
import * as React from 'react'
import { afterAll, afterEach, beforeEach, vi } from 'vitest'

import './testing-pseudo.ts'

// A page waits for its code and a real service, also on a busy machine.
configure({ asyncUtilTimeout: 60_000 })

// React's development build takes a stack for each element that it makes, to name its owner in a warning: a quarter of a page
// test's time. None is taken here, as React itself takes none after 10,000 within a second; the warnings stay.
const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } =
  React as unknown as Record<'__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE', object>
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
  get: () => Number.POSITIVE_INFINITY,
  set: () => {},
  configurable: true,
})

// While something is waited for, the page is not described each time it is not there yet: an eighth of all tests' time. It
// is described where the wait ends in vain.
const { getElementError } = getConfig()
const isWaiting = () => Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics') === true
function elementError(message: string | null, container: Element): Error {
  // The frame alone would fill what the report has room for.
  const main = container.querySelector('[role="dialog"]') ?? container.querySelector('#main') ?? container
  const error = isWaiting() ? new Error(message ?? '') : getElementError(message, main)
  error.name = 'TestingLibraryElementError'
  // The report shows the line of the test, not this one.
  Error.captureStackTrace(error, elementError)
  return error
}
// The library is loaded once for many files of tests.
if (getElementError.name !== elementError.name) configure({ getElementError: elementError })

// Browser interfaces that jsdom lacks and every page needs. Our own code is never replaced.

const nothing = () => {}

vi.stubGlobal('matchMedia', (query: string) => ({
  matches: false,
  media: query,
  addEventListener: nothing,
  removeEventListener: nothing,
}))
vi.stubGlobal(
  'ResizeObserver',
  class {
    observe = nothing
    unobserve = nothing
    disconnect = nothing
  },
)
vi.stubGlobal(
  'IntersectionObserver',
  class {
    observe = nothing
    unobserve = nothing
    disconnect = nothing
  },
)
Element.prototype.scrollIntoView = nothing
window.scrollTo = nothing
Element.prototype.scrollTo = function scrollTo(this: Element, options?: ScrollToOptions | number) {
  if (typeof options === 'object' && options.top !== undefined) this.scrollTop = options.top
}

// The browser's popover, as far as a test can notice: open or not.
HTMLElement.prototype.showPopover = function showPopover() {
  this.style.display = 'block'
}
HTMLElement.prototype.hidePopover = function hidePopover() {
  this.style.display = ''
}

const complaints: unknown[][] = []

beforeEach(() => {
  complaints.length = 0
  vi.spyOn(console, 'error').mockImplementation((...words) => void complaints.push(words))
})

afterEach(() => {
  cleanup()
  // Messages outlive the page on which they appeared.
  notifications.cleanQueue()
  notifications.clean()
  localStorage.clear()
  sessionStorage.clear()
  vi.restoreAllMocks()
  // React and the libraries report misuse there; a page that is misused is not right, however well it looks.
  if (complaints.length > 0)
    throw new Error(`console.error was called:\n${complaints.map(format).join('\n')}`)
})

// Many files of tests share the page, and the modules that are loaded.
afterAll(() => {
  for (const element of [document.documentElement, document.head, document.body]) {
    for (const name of element.getAttributeNames()) element.removeAttribute(name)
    if (element !== document.documentElement) element.replaceChildren()
  }
  history.replaceState(null, '', '/')
})

function format(words: readonly unknown[]): string {
  return words.map(String).join(' ')
}
