/** Texts of the conditions above the list of users. */
export const listFilterText = {
  title: 'Condition',
  about: 'What it is about',
  kinds: { user: 'The user', entity: 'What they have' },
  apply: 'Apply',
  edit: (condition: string) => `Change the condition: ${condition}`,
  remove: (condition: string) => `Remove the condition: ${condition}`,
  all: 'Conditions, which all hold',
  clear: 'Clear all',
  save: 'Save as segment',
  /** Said of a test of a sensitive key. */
  segmentOnly:
    'Sensitive values are revealed only with a reason here, so a list can’t be filtered by them. Create a segment instead.',
  /** Shown when a search would be saved as a segment: only conditions can be saved, not the text in the search box. */
  saveWithoutText: 'What is searched for is no part of a segment. Clear the search to save the conditions.',
}
