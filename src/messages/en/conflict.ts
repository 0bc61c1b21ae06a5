import { listed } from '../listed.ts'

/** Texts of the question that two edits of the same thing raise. */
export const conflictText = {
  body: 'Nothing of yours has been saved yet. Choose what each of these shall be:',
  mine: 'Yours',
  theirs: 'Theirs',
  allMine: 'All yours',
  allTheirs: 'All theirs',
  before: 'Before:',
  empty: 'Empty',
  writer: (actor: string) => `Changed by ${actor},`,
  takenOver: (names: readonly string[]) => `Only they changed ${listed(names)}: that stays as they saved it.`,
  alsoSent: (names: readonly string[]) => `Only you changed ${listed(names)}: that is saved too.`,
  save: 'Save',
  keepTheirs: 'Keep theirs',
  cancel: 'Back to editing',
}
