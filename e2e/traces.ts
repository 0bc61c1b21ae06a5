// Collects traces that a session leaves where others could read them: addresses, history, titles, storages, console.
import { type BrowserContext, type Page } from '@playwright/test'

export interface Traces {
  /** Records the current content of the history, the storages and the cookies. */
  look(): Promise<void>
  /** Everything recorded so far, each with its place. */
  readonly found: { readonly where: string; readonly text: string }[]
}

/** Starts recording; has to run before the first page is opened. */
export async function traceOf(context: BrowserContext, page: Page): Promise<Traces> {
  const found: Traces['found'] = []
  const note = (where: string, text: string) => found.push({ where, text })

  context.on('request', (request) => {
    note('address of a request', request.url())
    note('headers of a request', JSON.stringify(request.headers()))
  })
  context.on('response', (response) => note('headers of an answer', JSON.stringify(response.headers())))
  page.on('framenavigated', (frame) => note('address of the page', frame.url()))
  page.on('console', (message) => note('console of the browser', message.text()))
  page.on('pageerror', (error) => note('error of the page', `${error.message} ${error.stack ?? ''}`))
  page.on('download', (download) => note('name of a file', download.suggestedFilename()))

  await context.exposeFunction('noteTrace', note)
  await context.addInitScript(() => {
    const { noteTrace } = globalThis as unknown as { noteTrace: (where: string, text: string) => void }
    for (const name of ['pushState', 'replaceState'] as const) {
      const original = history[name].bind(history)
      history[name] = (state, unused, url) => {
        noteTrace(`history.${name}`, `${JSON.stringify(state)} ${String(url)}`)
        original(state, unused, url)
      }
    }
    new MutationObserver(() => noteTrace('title', document.title)).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
    })
  })

  return {
    found,
    async look() {
      note('cookies', JSON.stringify(await context.cookies()))
      for (const [where, text] of await page.evaluate(readStorages)) note(where, text)
    },
  }
}

/** Reads the storages. Runs in the page. */
async function readStorages(): Promise<[where: string, text: string][]> {
  const databases = await indexedDB.databases()
  const stores = databases.map(
    ({ name = '' }) =>
      new Promise<string>((resolve, reject) => {
        const opening = indexedDB.open(name)
        opening.addEventListener('error', () => reject(new Error(`${name} cannot be opened`)))
        opening.addEventListener('success', () => {
          const { result } = opening
          const names = [...result.objectStoreNames]
          if (names.length === 0) return resolve('')
          const transaction = result.transaction(names)
          const reads = names.map((store) => transaction.objectStore(store).getAll())
          transaction.addEventListener('complete', () => {
            resolve(JSON.stringify(reads.map((read) => read.result as unknown)))
          })
        })
      }),
  )
  const caches = await Promise.all(
    (await globalThis.caches.keys()).map(async (name) => {
      const cache = await globalThis.caches.open(name)
      const answers = (await cache.matchAll()).map((answer) => answer.text())
      const addresses = (await cache.keys()).map(({ url }) => url)
      return JSON.stringify([name, addresses, await Promise.all(answers)])
    }),
  )
  return [
    ['address of the page', location.href],
    ['title', document.title],
    ['name of the window', window.name],
    ['history.state', JSON.stringify(history.state)],
    ['localStorage', JSON.stringify(Object.entries(localStorage))],
    ['sessionStorage', JSON.stringify(Object.entries(sessionStorage))],
    ['IndexedDB', `${JSON.stringify(databases)} ${(await Promise.all(stores)).join(' ')}`],
    ['CacheStorage', caches.join(' ')],
  ]
}

/**
 * Returns the words that occur in a text, in any form in which they get into addresses and storages: upper or lower
 * case, percent-encoded, base64. Their first letters are enough, because searches are sent while typing. The words
 * consist of ASCII letters, so that neither encoding nor folding splits them.
 */
export function wordsIn(text: string, words: readonly string[]): string[] {
  const readings = [text.toLowerCase(), decode(text).toLowerCase()]
  return words.filter(
    (word) =>
      readings.some((reading) => reading.includes(word.slice(0, 7).toLowerCase())) ||
      [word, word.toLowerCase(), word.toUpperCase()].some((form) =>
        base64Of(form).some((code) => text.includes(code)),
      ),
  )
}

function decode(text: string): string {
  return text
    .replaceAll(/(?:%[\da-f]{2})+/gi, (codes) => {
      try {
        return decodeURIComponent(codes)
      } catch {
        return codes
      }
    })
    .replaceAll(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/**
 * Returns the base64 forms of a word inside a longer text, one for each of the three alignments, without the
 * characters that depend on neighbouring bytes.
 */
function base64Of(word: string): string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.from(' '.repeat(before) + word)
    const whole = bytes.subarray(before === 0 ? 0 : 3, bytes.length - (bytes.length % 3))
    return whole.toString('base64')
  })
}
