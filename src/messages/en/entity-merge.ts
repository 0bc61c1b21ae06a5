import { listed } from '../listed.ts'

/** Texts of the question that two edits of the same properties of an entity raise. */
export const entityMerge = {
  title: (type: string) => `Somebody else changed this ${type} meanwhile`,
  body: 'Nothing of yours has been saved yet. Choose what each of these shall be:',
  mine: 'Yours',
  theirs: 'Theirs',
  allMine: 'All yours',
  allTheirs: 'All theirs',
  before: 'Before:',
  writer: (actor: string) => `Changed by ${actor},`,
  entityType: 'Type of the entity',
  gone: 'Removed',
  absent: 'Not there',
  hidden: 'Hidden value',
  hiddenUnchanged: 'Value unchanged (hidden)',
  hiddenChanged: 'Changed value (hidden)',
  hiddenNew: 'New value (hidden)',
  sensitive: 'Sensitive',
  notSensitive: 'Not sensitive',
  takesKey: (key: string) => `Takes the place of their ${key}`,
  addedKey: (key: string) => `They added ${key}:`,
  removedKey: (key: string) => `They removed ${key}`,
  takenOver: (keys: readonly string[]) => `Only they changed ${listed(keys)}: that stays as they saved it.`,
  alsoSent: (keys: readonly string[]) => `Only you changed ${listed(keys)}: that is saved too.`,
  lost: (keys: readonly string[]) =>
    `They removed ${listed(keys)}. The hidden value went with it, so what you changed there cannot be kept.`,
  save: 'Save',
  keepTheirs: 'Keep theirs',
  cancel: 'Back to editing',
}
