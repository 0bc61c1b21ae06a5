// Runs before everything else. A file of its own, since the page's policy forbids inline scripts.

// zod compiles its schemas with `new Function`, which the policy forbids as well. It looks here while it loads, and
// which of the bundle's files loads first is the bundler's choice.
globalThis.__zod_globalConfig = { jitless: true }

// Before the first paint, so that a dark page never flashes white. The key is the one of src/app/preferences.ts.
;(() => {
  let scheme
  try {
    scheme = localStorage.getItem('data-store.scheme')
  } catch {
    // Storage is switched off: the system decides.
  }
  if (scheme !== 'light' && scheme !== 'dark')
    scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  document.documentElement.dataset.mantineColorScheme = scheme
})()
