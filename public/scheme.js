// Runs before the first paint, so that a dark page never flashes white. A file of its own: the page's policy forbids
// inline scripts. The key is the one of src/app/preferences.ts.
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
