import { listed } from '../listed.ts'

const quoted = (names: readonly string[]) => listed(names.map((name) => `“${name}”`))
const uses = (names: readonly string[]) => `${quoted(names)} ${names.length === 1 ? 'uses' : 'use'}`

/** Of an edit where the service cannot change a segment. */
export const segmentRecreation = {
  title: 'The id of this segment will change',
  body: 'This service cannot change a segment. Saving creates a new one, checks that it is there, and then deletes this one. Whatever knows this segment by its id must be given the new one.',
  usedBy: (names: readonly string[]) =>
    `${uses(names)} this segment and will go on using it as it is now: so it stays, beside the new one.`,
  others: (names: readonly string[]) =>
    `What the service itself keeps with it does not come along: ${listed(names)}.`,
  bothTitle: 'Your change is saved as a new segment, and the old one is still there',
  used: (names: readonly string[]) =>
    `${uses(names)} the old one. Let them use the new one, then delete the old one.`,
  differs: 'The new one does not read as it was written. Compare the two before you delete either.',
  failed: 'The old one could not be deleted.',
  unread: 'Whether the new one is as it was written could not be checked, so the old one was not deleted.',
  open: 'Open the new segment',
  old: 'Open the old segment',
  retry: 'Try to delete the old one again',
}
