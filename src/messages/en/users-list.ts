import { counted, number } from '../format.ts'

/** Texts of the list, which the first page shows: what comes with other pages stands in other catalogues. */
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
    nothingFound: 'No segment has this name',
    loading: 'Loading segments…',
    failed: 'The segments could not be loaded. Open the list to try again.',
    nameless: (id: string) => `Segment ${id}`,
  },
  search: {
    label: 'Find users',
    placeholder: 'Name, e-mail, ref or id',
    clear: 'Clear the search',
    keys: '↑ ↓ move · Enter opens · Space previews · Shift Space selects · Ctrl/⌘ A selects all · Esc back to the search',
    found: (total: number | undefined, isMore: boolean) =>
      total === undefined
        ? 'Some found'
        : isMore
          ? `More than ${number(total)} found`
          : `${number(total)} found`,
    searching: 'Searching…',
    similar: (what: string) => `Nothing begins with “${what}”. Spelled similarly:`,
  },
  addCondition: 'Filter',
  export: 'Export',
  import: 'Import',
  chooseColumns: 'Columns and row height',
  openedInside:
    'This page was opened from a link, so the pages before it are not known. “First” starts from the beginning.',
  create: { action: 'New user' },
}
