import { counted } from '../format.ts'

const changes = (count: number) => counted(count, { one: 'change', other: 'changes' })
const properties = (count: number) => counted(count, { one: 'property', other: 'properties' })

/** Texts of the history of an entity and of one of its properties. What opens it stands with the entity's own texts. */
export const history = {
  ofProperty: 'History of',
  ofEntity: (type: string) => `History of this ${type}`,
  list: 'Changes, newest first',

  by: (actor: string) => `by ${actor}`,
  byYou: 'by you',
  entity: {
    added: (type: string, count: number) => `Created ${type} with ${properties(count)}`,
    removed: (type: string) => `Deleted ${type}`,
    changed: (_type: string, count: number) => (count === 0 ? 'Changed' : `Changed ${properties(count)}`),
    type: 'Type of the entity',
    reordered: 'Nothing but the order of the properties.',
  },
  property: { added: 'Added', changed: 'Changed', removed: 'Removed', renamed: 'Key changed' },
  was: 'was',
  became: 'became',
  hiddenValue: 'Hidden value',
  hidden: { added: 'Added (hidden)', changed: 'Changed (hidden)', removed: 'Removed (hidden)' },
  becameSensitive: 'Marked as sensitive',
  becamePlain: 'No longer marked as sensitive',
  whole: 'Show all of it',
  moreProperties: (count: number) => `Show ${properties(count)} more`,
  notKept: 'The service no longer keeps what changed here.',
  someNotKept: (count: number) =>
    `Of ${changes(count)} of the entity the service no longer keeps what changed; this property may be among it.`,

  putBack: 'Put back',
  putBackOf: (key: string, time: string) => `Put back ${key} as it was before ${time}`,
  undo: 'Put all of it back',
  undoSome: (count: number, of: number) => `Put back ${count} of ${of}`,
  undoOf: (label: string, time: string) => `${label}, as it was before ${time}`,
  putBackHint: 'Into the form, as it was before. Nothing is saved yet.',
  putBackOverEdit: 'Into the form, in the place of what you changed there and have not saved.',
  inForm: (key: string) => `${key} stands in the form as it was. Nothing is saved yet.`,
  undoInForm: (count: number) => `${changes(count)} put back in the form. Nothing is saved yet.`,
  reason: {
    hidden: 'The history does not show sensitive values, so an old one cannot be put back.',
    same: 'It is like that now.',
    gone: 'It is not there any more.',
    keyTaken: (key: string) => `Another property is called ${key} now.`,
  },

  none: 'No change has been recorded.',
  notYet: (count: number) => `Not among the newest ${changes(count)} of this entity.`,
  searching: (count: number) => `Looked through the newest ${changes(count)} of the entity…`,
  older: 'Show older',
  end: (count: number) => `${changes(count)}, back to the first that was recorded`,
  more: (count: number) => `The newest ${changes(count)}`,
  searched: (found: number, count: number) =>
    `${counted(found, { one: 'entry', other: 'entries' })} among the newest ${changes(count)} of the entity`,
  failed: 'The history could not be read',
  olderFailed: 'Older changes could not be read',
}
