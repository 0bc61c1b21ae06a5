import { number } from '../format.ts'

/** Texts of the way from one user of a list to the next. */
export const listStepsText = {
  label: 'In the list',
  /** A user may have no name, and there may be no such user. */
  previous: (name: string | undefined) =>
    name === undefined ? 'Previous in the list' : `Previous in the list: ${name}`,
  next: (name: string | undefined) => (name === undefined ? 'Next in the list' : `Next in the list: ${name}`),
  at: ({ at, total }: { readonly at: number; readonly total: number | undefined }) =>
    total === undefined ? number(at) : `${number(at)} of ${number(total)}`,
}
