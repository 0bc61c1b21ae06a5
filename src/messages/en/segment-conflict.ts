/** Of two edits of the same segment. */
export const segmentConflict = {
  title: 'Somebody changed the same meanwhile',
  body: 'Nothing is saved yet. Choose for each what is to be kept.',
  fields: { name: 'Name', description: 'Description', filter: 'Filter', tz: 'Time zone' },
  mine: 'Yours',
  theirs: 'Theirs',
  before: (value: string) => `Before: ${value}`,
  none: 'Empty',
  save: 'Save with these',
  back: 'Back to the form',
}
