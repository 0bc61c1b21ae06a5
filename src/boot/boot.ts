// Runs before all other code, and before the first paint: an import from here must bring little along.
import '../ui/styles.ts'
import './frame.css'

import { hasSession, signedOut } from '../auth/session-store.ts'
import { finishPopup } from '../auth/popup.ts'
import { sharedStorage } from '../auth/storage.ts'
import { schemeKey } from '../ui/scheme.ts'
import { begin } from './begin.ts'

// zod compiles its schemas with `new Function`, which the policy forbids as well. It looks here while it loads.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

/** Longer than this the console does not wait for a browser that paints nothing. */
const framePaintMs = 500
const consoleUrl = new URL('.', document.baseURI).href
/** In the window of a sign-in over another page there is nothing to begin. */
const isPopup = location.href.startsWith(`${consoleUrl}signed-in/popup?`)
const begun = isPopup ? undefined : begin(consoleUrl)
// Whether it fails is told by the console, once that is there.
begun?.catch(() => undefined)
if (isPopup) void finishPopup(consoleUrl)

const { dataset } = document.documentElement
dataset['mantineColorScheme'] = scheme()
// Without a session the page is about to leave for the sign-in, or has just come back: src/ui/fonts.css.
if (!hasSession(consoleUrl)) dataset['arriving'] = ''
if (!isPopup && !signedOut.get()) dataset['coming'] = ''
void start()

/** So that a dark page never flashes white. */
function scheme(): 'light' | 'dark' {
  const chosen = sharedStorage?.getItem(schemeKey)
  if (chosen === 'light' || chosen === 'dark') return chosen
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

/** Runs the console once the frame is on the screen: to evaluate its code takes longer than a frame is to be waited for. */
async function start(): Promise<void> {
  let isLeaving = false
  const leave = () => {
    isLeaving = true
  }
  addEventListener('beforeunload', leave)
  await framePainted()
  try {
    const console = await import('../main.tsx')
    console.start(begun)
  } catch (error) {
    // A page that is left for the provider, or for another one, drops what it was reading.
    if (isLeaving) return
    delete dataset['coming']
    dataset['unloaded'] = ''
    reportError(error)
  } finally {
    removeEventListener('beforeunload', leave)
  }
}

function framePainted(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    // A tab behind another one is not painted.
    setTimeout(resolve, document.hidden ? 0 : framePaintMs)
  })
}
