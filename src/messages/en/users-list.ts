import { counted, number } from '../format.ts'

/** Texts of the list of users that other pages have, too. */
export const userText = {
  title: 'Users',
  table: 'Users',
  total: (total: number) => counted(total, { one: 'user', other: 'users' }),
  noName: 'No name',
  columns: {
    name: 'Name',
    email: 'E-mail',
    ref: 'Ref',
    since: 'Since',
    created: 'Created',
    account: 'Account',
    id: 'Id',
  },
  account: {
    short: (has: boolean) => (has ? 'Yes' : 'No'),
    long: (has: boolean) => (has ? 'Has an account' : 'No account yet'),
  },
  segment: {
    label: 'Segment',
    chosen: (name: string) => `Segment: ${name}`,
    all: 'All users',
    nothingFound: 'No segment matches',
    loading: 'Loading segments…',
    failed: 'Couldn’t load the segments. Open the list to try again.',
    nameless: (id: string) => `Segment ${id}`,
  },
  search: {
    label: 'Find users',
    placeholder: 'Name, e-mail, ref or id',
    clear: 'Clear search',
    keys: '↑ ↓ move · Enter opens · Space previews · Shift+Space selects · Ctrl/⌘+A selects all · Esc returns to the search',
    found: ({ total, isMore }: { readonly total: number | undefined; readonly isMore: boolean }) =>
      total === undefined
        ? 'Matches found'
        : isMore
          ? `More than ${number(total)} found`
          : `${number(total)} found`,
    searching: 'Searching…',
    similar: (what: string) => `No match for “${what}”. Similar spellings:`,
  },
  addCondition: 'Filter',
  export: 'Export',
  import: 'Import',
  chooseColumns: 'Columns and row height',
  openedInside:
    'You opened a page in the middle of the list, so the pages before it are unknown. “First” goes to the start.',
  create: { action: 'New user' },
}
