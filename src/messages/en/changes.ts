/** Texts about what one write changed. */
export const changeText = {
  label: 'What changed',
  key: 'What',
  before: 'Before',
  after: 'After',
  none: 'Nothing but the order of the properties.',
  wasNot: 'Was not there',
  removed: 'Removed',
  /** Stands in for a sensitive value that is hidden, by operation. */
  secret: {
    add: 'Sensitive value, added',
    change: 'Sensitive value, changed',
    remove: 'Sensitive value, removed',
  } as { readonly change: string; readonly [op: string]: string },
  entityType: 'Type of the entity',
  type: (type: string) => `as ${type}`,
  becameSensitive: 'now sensitive',
  becamePlain: 'no longer sensitive',
}
