// Runs before everything else, and before the first paint. Built by itself into a classic script, which the page waits
// for: an import from here must bring little along.
import type { Feature } from '#contract/index.ts'
import { readAhead } from '../api/ahead.ts'
import { hasSession, signedOut } from '../auth/kept-session.ts'
import { placeAhead } from '../auth/place-ahead.ts'
import { isApple } from '../ui/platform.ts'
import { schemeKey } from '../ui/scheme.ts'
import { beginAtOnce } from './first-data.ts'
import { tellUnloaded } from './unloaded.ts'

// zod compiles its schemas with `new Function`, which the policy forbids as well. It looks here while it loads, and
// which of the bundle's files loads first is the bundler's choice.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

// What is wrong with the settings is told by the console.
attempt(beginAtOnce)

// What the frame in the page (`src/app/frame-html.tsx`) looks like.
const shown = document.documentElement.dataset
shown['mantineColorScheme'] = scheme()
if (isApple()) shown['apple'] = ''
for (const area of ['webhooks', 'dictionary', 'audit'] as const) if (isOffered(area)) shown[area] = ''
const hasHome = isOffered('events.counts')
if (hasHome) shown['home'] = ''
const consoleUrl = new URL('.', document.baseURI)
// Without a session the page is about to leave for the sign-in, or has just come back.
if (!hasSession(consoleUrl.href)) shown['arriving'] = ''
const address = addressOfPage()
if (address !== undefined) {
  const first = hasHome ? 'home' : 'users'
  shown['area'] = address.split('/', 1)[0] || first
  shown['skeleton'] = withoutIds(address) || first
}

addEventListener('error', ({ target }) => target instanceof HTMLScriptElement && tellUnloaded(), {
  capture: true,
})

/** Before the first paint, so that a dark page never flashes white. */
function scheme(): 'light' | 'dark' {
  const chosen = attempt(() => localStorage.getItem(schemeKey))
  if (chosen === 'light' || chosen === 'dark') return chosen
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

/** Known where the page brings what the service offers: `src/api/ahead.ts`. */
function isOffered(feature: Feature): boolean {
  return attempt(() => readAhead().features?.[feature]) === 1
}

/**
 * Of the page that will be shown, below the console's own address; for a returning sign-in that is where it began.
 * Nothing where there will be no page: in the window of a sign-in, and after signing out.
 */
function addressOfPage(): string | undefined {
  const base = consoleUrl.pathname
  const below = (path: string) => path.slice(base.length).split(/[?#]/, 1)[0]
  const here = below(location.pathname)
  if (here === 'signed-in/popup') return undefined
  if (here === 'signed-in') return below(placeAhead() ?? base)
  return signedOut.get() ? undefined : here
}

/** As `frame-html.tsx` names the skeletons: `users/:id/entities/new`. Every other part may be an id, and what follows `batch` or `deleted`. */
function withoutIds(address: string): string {
  const parts = address.replace(/\/$/, '').split('/')
  return parts
    .map((part, index) => {
      const isId =
        index % 2 === 1
          ? !/^(new|import|export|batch|deleted)$/.test(part)
          : /^(batch|deleted)$/.test(parts[index - 1] ?? '')
      return isId ? ':id' : part
    })
    .join('/')
}

/** Nothing where storage is switched off, which throws when it is asked, nor where something else stands in it. */
function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
