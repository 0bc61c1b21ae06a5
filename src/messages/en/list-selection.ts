import { counted, number } from '../format.ts'

/** Texts of the users who are selected in the list. */
export const selectionText = {
  label: 'Selection',
  select: (name: string) => `Select ${name}`,
  summary: ({ selected, elsewhere }: { readonly selected: number; readonly elsewhere: number }) =>
    elsewhere === 0
      ? `${number(selected)} selected`
      : `${number(selected)} selected, ${number(elsewhere)} not on this page`,
  page: 'Select this page',
  export: 'Export selection',
  set: 'Bulk change…',
  setAll: (count: number) => `Bulk change all ${counted(count, { one: 'user', other: 'users' })} listed…`,
  clear: 'Clear selection',
}
