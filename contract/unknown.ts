// What the service answers for an e-mail or a name that was never given: never a match key, never stored. Apart from the
// schemas, so that a list which only shows names does not bring them along.
export const unknownEmail = 'Unknown email'
export const unknownName = 'Unknown user'
