// Runs before everything else, and before the first paint. Built by itself into a classic script, which the page waits
// for: an import from here must bring nothing along.
import { schemeKey } from '../ui/scheme.ts'

// zod compiles its schemas with `new Function`, which the policy forbids as well. It looks here while it loads, and
// which of the bundle's files loads first is the bundler's choice.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

document.documentElement.dataset.mantineColorScheme = scheme()

/** Before the first paint, so that a dark page never flashes white. */
function scheme(): 'light' | 'dark' {
  const chosen = kept(() => localStorage, schemeKey)
  if (chosen === 'light' || chosen === 'dark') return chosen
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

/** Nothing where storage is switched off: to ask for it throws then. */
function kept(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key)
  } catch {
    return null
  }
}
