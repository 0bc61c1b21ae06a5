import '@testing-library/jest-dom/vitest'
import { notifications } from '@mantine/notifications'
import { cleanup, configure, getConfig } from '@testing-library/react'
import * as React from 'react'
import { afterAll, afterEach, beforeEach, vi } from 'vitest'

import './pseudo.ts'

// Raised timeout, because a page waits for its code and a real service, even on a busy machine.
// A text that the page shows and announces is found once.
configure({ asyncUtilTimeout: 60_000, defaultIgnore: 'script, style, [data-echo]' })

// React's development build captures a stack for each element, to name its owner in warnings. That costs a quarter of a
// page test's time. Here no stack is captured, just as React itself captures none after 10,000 within a second; the
// warnings remain.
const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } =
  React as unknown as Record<'__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE', object>
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
  get: () => Number.POSITIVE_INFINITY,
  set: () => {},
  configurable: true,
})

// While a query is being retried, a failure does not print the DOM, which would cost an eighth of all tests' time. The
// final failure prints it.
const { getElementError } = getConfig()
const isWaiting = () => Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics') === true
function elementError(message: string | null, container: Element): Error {
  // Prints only the main content, because the shell alone would fill the report.
  const main = container.querySelector('[role="dialog"]') ?? container.querySelector('#main') ?? container
  const error = isWaiting() ? new Error(message ?? '') : getElementError(message, main)
  error.name = 'TestingLibraryElementError'
  // The report points to the line of the test instead of this one.
  Error.captureStackTrace(error, elementError)
  return error
}
// Many test files share one instance of the library, so this is configured only once.
if (getElementError.name !== elementError.name) configure({ getElementError: elementError })

// Browser APIs that jsdom lacks and every page needs. Our own code is never replaced.

const nothing = () => {}

vi.stubGlobal('matchMedia', (query: string) => ({
  matches: false,
  media: query,
  addEventListener: nothing,
  removeEventListener: nothing,
}))
class Observer {
  observe = nothing
  unobserve = nothing
  disconnect = nothing
}
vi.stubGlobal('ResizeObserver', Observer)
vi.stubGlobal('IntersectionObserver', Observer)
Element.prototype.scrollIntoView = nothing
window.scrollTo = nothing
Element.prototype.scrollTo = function scrollTo(this: Element, options?: ScrollToOptions | number) {
  if (typeof options === 'object' && options.top !== undefined) this.scrollTop = options.top
}

// Minimal dialogs: without the top layer, and with the page still in reach.
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true
  this.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') this.dispatchEvent(new Event('cancel', { cancelable: true }))
  })
}

// Minimal popover API: a test can only tell whether it is open.
HTMLElement.prototype.showPopover = function showPopover() {
  this.style.display = 'block'
}
HTMLElement.prototype.hidePopover = function hidePopover() {
  this.style.display = ''
}

const complaints: unknown[][] = []

beforeEach(() => {
  complaints.length = 0
  for (const method of ['error', 'warn'] as const)
    vi.spyOn(console, method).mockImplementation((...words) => void complaints.push([method, ...words]))
})

afterEach(() => {
  cleanup()
  // Toasts outlive the page that showed them.
  notifications.cleanQueue()
  notifications.clean()
  localStorage.clear()
  sessionStorage.clear()
  vi.restoreAllMocks()
  // React and other libraries report misuse to the console, so any such report fails the test.
  if (complaints.length > 0) throw new Error(`The console was given:\n${complaints.map(format).join('\n')}`)
})

// Many test files share the page and the loaded modules, so the page is reset.
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
