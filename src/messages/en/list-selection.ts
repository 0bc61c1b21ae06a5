import { counted, number } from '../format.ts'

/** Texts of the users who are selected in the list. */
export const selectionText = {
  label: 'Selection',
  select: (name: string) => `Select ${name}`,
  selected: (count: number) => `${number(count)} selected`,
  elsewhere: (count: number) => `${number(count)} not on this page`,
  page: 'Select this page',
  export: 'Export these',
  set: 'Set a property…',
  setAll: (count: number) => `Set it on all ${counted(count, { one: 'user', other: 'users' })} listed…`,
  clear: 'Clear the selection',
}
