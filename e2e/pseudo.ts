import { expect as strict, type Page } from '@playwright/test'

import { expectFits } from './fits.ts'

/** Whether the console is built in the pseudo-locale: src/messages/language/pseudo.ts. */
export const isPseudo = process.env.VITE_LOCALE === 'pseudo'

/** The space that lengthens words in the pseudo-locale. */
const figureSpace = '\u2007'

/** Widths, in pixels, at which the texts of a journey's last page must fit. */
const widthsPx = [390, 1024, 1440]

/**
 * Returns a pattern that also matches a lengthened text. Playwright collapses spaces before it compares a text with a
 * string, but compares it unchanged with a pattern.
 */
function loosenPattern({ source, flags }: RegExp): RegExp {
  let isInClass = false
  const loose = source.replaceAll(/\\.|[[\] $]/gsu, (sign) => {
    if (sign === '[') isInClass = true
    if (sign === ']') isInClass = false
    // The last word of a lengthened text ends in spaces.
    if (sign === String.raw`\)` && !isInClass) return String.raw`\s*\)`
    if (sign === ' ') return isInClass ? '\\s' : '\\s+'
    // A browser replaces a space at the end of a file's name.
    return sign === '$' && !isInClass ? '[\\s_]*$' : sign
  })
  return new RegExp(loose, flags)
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Replaces the strings or patterns in arrays and plain objects. */
function replaceIn(value: unknown, replace: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => replaceIn(item, replace))
  if (!isPlain(value)) return replace(value)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceIn(item, replace)]))
}

const loosen = (value: unknown) =>
  replaceIn(value, (leaf) => (leaf instanceof RegExp ? loosenPattern(leaf) : leaf))
const shorten = (value: unknown) =>
  replaceIn(value, (leaf) => (typeof leaf === 'string' ? leaf.replaceAll(figureSpace, '') : leaf))

type Method = (this: unknown, ...given: unknown[]) => unknown

function patch(prototype: object, names: readonly string[], change: (method: Method) => Method) {
  for (const name of names) {
    const method = (prototype as Record<string, Method | undefined>)[name]
    if (method) Object.assign(prototype, { [name]: change(method) })
  }
}

const finders = [
  'getByRole',
  'getByText',
  'getByLabel',
  'getByPlaceholder',
  'getByTitle',
  'filter',
  'locator',
]
const readers = [
  'textContent',
  'innerText',
  'allTextContents',
  'getAttribute',
  'inputValue',
  'evaluate',
  'evaluateAll',
  'title',
]

let isPatched = false
/** Makes locators find lengthened texts, and return texts in their original length. */
function patchLocators(page: Page) {
  if (isPatched) return
  isPatched = true
  for (const { constructor } of [page, page.locator('html'), page.frameLocator('iframe')]) {
    patch(
      constructor.prototype as object,
      finders,
      (find) =>
        function findLengthened(...given) {
          return find.apply(this, given.map(loosen))
        },
    )
    patch(
      constructor.prototype as object,
      readers,
      (read) =>
        async function readShortened(...given) {
          return shorten(await read.apply(this, given))
        },
    )
  }
}

/** Matchers that compare a text with a string as it is, each with the index of the string in their arguments. */
const exact = new Map<unknown, number>([
  ['toHaveAttribute', 1],
  ['toHaveValue', 0],
])

function loosenMatchers<Matchers extends object>(matchers: Matchers): Matchers {
  return new Proxy(matchers, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name)
      if (typeof found === 'object' && found !== null) return loosenMatchers(found)
      if (typeof found !== 'function') return found
      return (...given: unknown[]) => {
        const loose = given.map((value, index) =>
          exact.get(name) === index && typeof value === 'string'
            ? loosenPattern(new RegExp(`^${value.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)}$`))
            : loosen(value),
        )
        return Reflect.apply(found, target, loose) as unknown
      }
    },
  })
}

/** `expect` of Playwright; in the pseudo-locale, patterns and strings match lengthened texts. */
export const expect: typeof strict = isPseudo
  ? new Proxy(strict, {
      apply: (target, self, [actual, ...rest]: unknown[]) =>
        loosenMatchers(Reflect.apply(target, self, [shorten(actual), ...rest]) as object),
      get(target, name) {
        if (name !== 'poll') return Reflect.get(target, name) as unknown
        return (ask: () => unknown, options?: string) =>
          loosenMatchers(target.poll(async () => shorten(await ask()), options))
      },
    })
  : strict

/** Runs a journey. In the pseudo-locale, its texts are lengthened, and those of its last page must fit. */
export async function lengthen(page: Page, run: () => Promise<void>): Promise<void> {
  if (isPseudo) patchLocators(page)
  await run()
  if (!isPseudo || page.isClosed() || !page.url().startsWith('http')) return
  const before = page.viewportSize()
  for (const width of widthsPx) {
    await page.setViewportSize({ width, height: before?.height ?? 800 })
    await expectFits(page)
  }
}
