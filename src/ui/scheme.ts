/** Where the browser keeps the colour scheme that somebody chose. */
export const schemeKey = 'data-store.scheme'
