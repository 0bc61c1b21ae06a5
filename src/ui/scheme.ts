export const schemeKey = 'data-store.scheme'
