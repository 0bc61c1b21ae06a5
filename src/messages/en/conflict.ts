import { defineMessages } from '../language/message.ts'

/** Texts of the dialog in which a person decides a conflict with another edit. */
export const conflictText = defineMessages({
  body: 'Your changes aren’t saved yet. Choose which values to keep:',
  mine: 'Yours',
  theirs: 'Theirs',
  allMine: 'Keep all yours',
  allTheirs: 'Keep all theirs',
  before: 'Before: {value}',
  empty: 'Empty',
  writer: 'Changed by {actor} · {time}',
  ownWriter: 'Changed by you, in another tab · {time}',
  takenOver: 'Changed only by them, and kept: {names}',
  alsoSent: 'Changed only by you, and will be saved too: {names}',
  save: 'Save',
  keepTheirs: 'Keep theirs',
  cancel: 'Back to editing',
})
