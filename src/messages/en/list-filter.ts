/** Texts of the conditions above the list of users. */
export const listFilterText = {
  title: 'Condition',
  about: 'Kind of condition',
  kinds: { user: 'About the user', entity: 'About their data' },
  apply: 'Apply',
  edit: (condition: string) => `Change condition: ${condition}`,
  remove: (condition: string) => `Remove condition: ${condition}`,
  all: 'All of these match',
  clear: 'Clear all',
  save: 'Save as segment',
  /** Said of a test of a sensitive key. */
  segmentOnly:
    'You need a reason to see sensitive values here, so a list can’t be filtered by them. Create a segment instead.',
  /** Shown when a search would be saved as a segment: only conditions can be saved, not the text in the search box. */
  saveWithoutText: 'A segment can’t include a search. Clear the search box to save these conditions.',
}
