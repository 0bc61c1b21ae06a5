import '@testing-library/jest-dom/vitest'

import { cleanup, configure, getConfig } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'

// A page waits for its code and a real service, also on a busy machine.
configure({ asyncUtilTimeout: 60_000 })

// While something is waited for, the page is not described each time it is not there yet: an eighth of all tests' time. It
// is described where the wait ends in vain.
const { getElementError } = getConfig()
const isWaiting = () => Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics') === true
configure({
  getElementError: function elementError(message, container) {
    const error = isWaiting() ? new Error(message ?? '') : getElementError(message, container)
    error.name = 'TestingLibraryElementError'
    // The report shows the line of the test, not this one.
    Error.captureStackTrace(error, elementError)
    return error
  },
})

// What jsdom lacks and every page needs. Nothing of ours is replaced.

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
  localStorage.clear()
  sessionStorage.clear()
  vi.restoreAllMocks()
  // React and the libraries report misuse there; a page that is misused is not right, however well it looks.
  if (complaints.length > 0)
    throw new Error(`console.error was called:\n${complaints.map(format).join('\n')}`)
})

function format(words: readonly unknown[]): string {
  return words.map(String).join(' ')
}
