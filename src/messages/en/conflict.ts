import { listed } from '../listed.ts'

/** Texts of the question that two edits of the same thing raise. */
export const conflictText = {
  body: 'Your changes aren’t saved yet. Choose which to keep:',
  mine: 'Yours',
  theirs: 'Theirs',
  allMine: 'Keep all yours',
  allTheirs: 'Keep all theirs',
  before: 'Before:',
  empty: 'Empty',
  writer: (actor: string) => `Changed by ${actor} ·`,
  takenOver: (names: readonly string[]) => `Changed only by them, and kept: ${listed(names)}`,
  alsoSent: (names: readonly string[]) => `Changed only by you, and saved too: ${listed(names)}`,
  save: 'Save',
  keepTheirs: 'Keep theirs',
  cancel: 'Back to editing',
}
