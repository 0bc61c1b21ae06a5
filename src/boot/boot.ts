// This module runs before all other code and before the first paint: keep its imports small.
import '../ui/styles.ts'
import './frame.css'
import { finishPopup } from '../auth/popup.ts'
import { hasSession, signedOut } from '../auth/session-store.ts'
import { sharedStorage } from '../auth/storage.ts'
import type { Begun } from '../main.tsx'
import { schemeKey } from '../ui/scheme.ts'
import { begin } from './begin.ts'

// zod compiles its schemas with `new Function`, which the content security policy forbids. It reads this setting while
// it loads.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

/** Longest time that the console waits for the browser's first paint. */
const framePaintMs = 500
const consoleUrl = new URL('.', document.baseURI).href
/** Whether this window is the popup of a sign-in on top of another page. A popup needs no settings, session or data. */
const isPopup = location.href.startsWith(`${consoleUrl}signed-in/popup?`)
if (isPopup) void finishPopup(consoleUrl)

const { dataset } = document.documentElement
dataset['mantineColorScheme'] = scheme()
// Without a session, the page is usually on its way to or from the sign-in: src/ui/fonts.css has the reason.
if (hasSession(consoleUrl) && wasCached()) dataset['ownFont'] = ''
if (!isPopup && !signedOut.get()) dataset['coming'] = ''
// Not kept in a variable of the module, which would hold the tokens of a session that was locked or has ended.
void start(isPopup ? undefined : begin(consoleUrl))

/** Returns the color scheme to apply before the first paint, so that a dark page never flashes white. */
function scheme(): 'light' | 'dark' {
  const chosen = sharedStorage?.getItem(schemeKey)
  if (chosen === 'light' || chosen === 'dark') return chosen
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

/** Whether this script came from the browser's cache. The font is there too then, and costs the first row no time. */
function wasCached(): boolean {
  const loads = performance.getEntriesByName(import.meta.url) as PerformanceResourceTiming[]
  return loads.some(({ transferSize }) => transferSize === 0)
}

/** Loads and runs the console after the first paint of the frame: evaluating its code would delay that paint. */
async function start(begun: Promise<Begun> | undefined): Promise<void> {
  // The console reports a failure once it has loaded; this handler only prevents an unhandled rejection.
  begun?.catch(() => undefined)
  let isLeaving = false
  const leave = () => {
    isLeaving = true
  }
  addEventListener('beforeunload', leave)
  await waitForFrame()
  try {
    const console = await import('../main.tsx')
    console.start(begun)
  } catch (error) {
    // Navigating away aborts the import; that failure is expected.
    if (isLeaving) return
    delete dataset['coming']
    dataset['unloaded'] = ''
    reportError(error)
  } finally {
    removeEventListener('beforeunload', leave)
  }
}

function waitForFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    // Browsers don't paint a background tab.
    setTimeout(resolve, document.hidden ? 0 : framePaintMs)
  })
}
