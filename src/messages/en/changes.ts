/** Texts about what one write changed. */
export const changeText = {
  label: 'What changed',
  key: 'What',
  before: 'Before',
  after: 'After',
  none: 'Nothing but the order of the properties.',
  wasNot: 'Was not there',
  removed: 'Removed',
  secret: 'Sensitive value, changed',
  entityType: 'Type of the entity',
  type: (type: string) => `as ${type}`,
  becameSensitive: 'now sensitive',
  becamePlain: 'no longer sensitive',
}
