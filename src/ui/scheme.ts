/** Key in `localStorage` for the chosen colour scheme. */
export const schemeKey = 'data-store.scheme'
