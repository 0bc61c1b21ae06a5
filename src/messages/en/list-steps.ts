import { number } from '../format.ts'

/** Texts of the way from one user of a list to the next. */
export const listStepsText = {
  label: 'In the list',
  previous: 'Previous in the list',
  next: 'Next in the list',
  /** A name, or none. */
  named: (step: string, name: string | undefined) => (name === undefined ? step : `${step}: ${name}`),
  at: (at: number, total: number | undefined) =>
    total === undefined ? number(at) : `${number(at)} of ${number(total)}`,
}
