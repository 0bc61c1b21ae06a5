import { counted, number } from '../format.ts'
import { listed } from '../listed.ts'

const properties = (count: number) => counted(count, { one: 'property', other: 'properties' })
const changes = (count: number) => counted(count, { one: 'change', other: 'changes' })
const entities = (count: number) => counted(count, { one: 'entity', other: 'entities' })
const removals = (count: number) => counted(count, { one: 'removal', other: 'removals' })

const keptTheirs = (keys: readonly string[]) =>
  `Somebody else changed ${listed(keys)} meanwhile; that is kept.`

/** Texts of a user's entities and of the property editor. */
export const entityText = {
  title: 'Entities',
  newTitle: 'New entity',
  add: 'Add entity',
  properties,
  empty: {
    title: 'No entities yet',
    body: 'An entity is one thing that belongs to this user, such as a car or an address, with its properties.',
  },
  reading: {
    edit: 'Edit',
    /** For who may not change it: types, keys as they are stored, and history. */
    open: 'Details',
    addTo: (entity: string) => `Add property to ${entity}`,
    editOf: (label: string) => `Edit ${label}`,
    close: 'Close editor',
    showProperties: (count: number) => `Show all ${properties(count)}`,
    showEntities: (count: number) => `Show all ${number(count)} entities`,
  },
  failed: { title: 'The entities could not be loaded' },
  gone: {
    title: 'This entity does not exist',
    body: 'It was deleted, or the address is wrong.',
    restorable: 'It was deleted, or the address is wrong. What was deleted can be put back.',
  },

  form: {
    type: 'Type of the entity',
    typeLabel: 'Type',
    typePlaceholder: 'e.g. person, car, address',
    typeHint: 'What it describes: a lower-case word such as person, car or address.',
    created: 'Created',
    list: 'Properties',
    key: 'Key',
    propertyType: 'Type',
    value: 'Value',
    sensitive: 'Sensitive',
    unnamed: 'new property',
    keyOf: (key: string) => `Key of ${key}`,
    typeOf: (key: string) => `Type of ${key}`,
    valueOf: (key: string) => `Value of ${key}`,
    sensitiveOf: (key: string) => `${key} is sensitive`,
    remove: (key: string) => `Remove ${key}`,
    undo: (key: string) => `Undo the change of ${key}`,
    undoRemoval: (key: string) => `Keep ${key}`,
    undoMeanwhile: 'Take theirs',
    takeTheirs: (key: string) => `Take theirs: ${key}`,
    keepMine: 'Keep yours',
    keepMineOf: (key: string) => `Keep yours: ${key}`,
    removed: 'Will be removed',
    addProperty: 'Add property',
    knownKeys: 'Known keys',
    /** Suggests a known key in place of a likely slip, with the number of its users; `undefined`: not known. */
    elsewhere: (key: string, type: string, users: number | undefined, isMore: boolean) =>
      users === undefined
        ? `Elsewhere there is “${key}”, ${type}.`
        : `${isMore ? 'More than ' : ''}${counted(users, { one: 'user has', other: 'users have' })} “${key}”, ${type}.`,
    takeKey: (key: string) => `Use “${key}”`,
    takeType: (type: string) => `Use the type ${type}`,
    none: 'No properties yet.',
    readOnly: 'You can look at these values, but not change them.',
    onScreenOnly: 'Sensitive values are hidden on screen only: the service has sent them to this browser.',
    repeated: (keys: string) =>
      `This service stored ${keys} more than once. Those properties cannot be changed here, and nothing can be removed or renamed: it could not be said which one is meant.`,
    repeatedReason: 'A key stands here more than once, so it could not be said which one is meant.',
    movedUnseen: 'A hidden value cannot move to another key. Replace the value too, or keep the key.',
    openUser: 'Open the user',
    openEntity: 'Open the entity',
  },

  find: {
    label: 'Find properties',
    placeholder: 'Key, type or value',
    clear: 'Clear the search',
    changed: 'Changed',
    problems: 'With problems',
    shown: (shown: number, all: number) => `${shown} of ${properties(all)}`,
    none: 'No property was found. Hidden values are not searched.',
  },

  maskedFor: (reason: string) => `Hidden from you. ${reason}`,
  maskedByService: 'The service does not show you this value.',
  reveal: 'Reveal',
  revealOf: (key: string) => `Reveal the value of ${key}`,
  revealing: {
    title: (key: string) => `Reveal ${key}`,
    body: 'The value is shown to you for a minute.',
    reason: 'Reason',
    reasonOptional: 'Reason (optional)',
    reasonHint: 'The event log keeps it with your name.',
    reasonMissing: 'Say why the value is needed.',
    reasonTooLong: 'At most 500 characters.',
    failed: 'Not revealed',
    failure: {
      invalid: 'There is no such property any more: somebody removed it.',
      offline: 'No answer came. What you typed is still here: try again.',
      busy: (seconds: number | undefined) =>
        seconds === undefined
          ? 'Too many values were asked for in a short time. Try again in a moment.'
          : `Too many values were asked for in a short time. Try again in ${counted(seconds, { one: 'second', other: 'seconds' })}.`,
    },
  },
  check: 'Check…',
  checkOf: (key: string) => `Check the value of ${key}`,
  checking: {
    title: (key: string) => `Check ${key}`,
    body: 'What you type is compared with what is stored for this user, which is not shown. The event log keeps that you asked, whatever the answer is.',
    said: 'The caller says',
    missing: 'Write what the caller says.',
    action: 'Check',
    yes: 'Yes, it is the same',
    yesBody: 'This is what is stored for this user.',
    no: 'No, it is not the same',
    noBody: 'Something else is stored for this user.',
    failed: 'Not checked',
    failure: {
      missing: { body: 'This user is no longer there.' },
      invalid: 'There is no such value any more: somebody removed it, or gave it another type.',
      lost: { body: 'The answer was lost. Check again: that counts as another check.' },
      busy: (seconds: number | undefined) =>
        seconds === undefined
          ? 'You have checked too many values in a short time. Try again later.'
          : `You have checked too many values in a short time. Try again in ${counted(Math.ceil(seconds / 60), { one: 'minute', other: 'minutes' })}.`,
    },
  },
  hiddenIn: (seconds: number) => `Hidden again in ${seconds} s`,
  hide: 'Hide',
  hideOf: (key: string) => `Hide the value of ${key}`,
  replace: 'Replace',
  replaceOf: (key: string) => `Replace the value of ${key}`,
  keep: 'Keep the old value',
  keepOf: (key: string) => `Keep the old value of ${key}`,
  emptyIt: 'Set to no value',
  emptyOf: (key: string) => `Set to no value: ${key}`,
  willBeEmpty: 'Will have no value',
  unchanged: 'Unchanged while blank',
  copyValue: (key: string) => `Copy the value of ${key}`,

  template: {
    label: 'Begin with',
    hint: 'Once the type is written, the keys that it usually has are offered here.',
    none: (type: string) => `No keys of “${type}” are known yet.`,
    last: (type: string, count: number) => `Keys of this user’s last ${type} (${number(count)})`,
    known: (type: string, count: number) => `All known keys of ${type} (${number(count)})`,
    chosen: (count: number) =>
      `${counted(count, { one: 'key', other: 'keys' })} put in. What is left blank is not stored.`,
    blank: 'Not stored',
  },

  typeMissing: 'An entity needs a type.',
  keyMissing: 'A property needs a key.',
  keyTaken: 'Another property has this key.',
  meanwhile: {
    changed: 'Somebody else changed this while you edited it. It is now:',
    added: 'Somebody else added this key while you did. Their value:',
    removed: 'Somebody else removed this while you edited it.',
    removedKey: 'Somebody else removed the property that had this key.',
    addedKey: 'Somebody else gave this key to another property.',
    hidden: 'Somebody else changed this sensitive value while you edited it.',
    type: (type: string) => `Somebody else set the type to “${type}” while you edited it.`,
  },

  bar: {
    summary: (changed: number, removed: number) =>
      [changed > 0 && changes(changed), removed > 0 && removals(removed)].filter(Boolean).join(' · '),
    invalid: (count: number) =>
      `${counted(count, { one: 'row needs', other: 'rows need' })} attention before this can be saved.`,
    discard: 'Discard',
    review: 'Review…',
    create: 'Create entity',
    cancel: 'Cancel',
  },
  /** While it is on its way, and while nobody knows what became of it. */
  leaveUnsettled: {
    title: 'Leave before it is known what was saved?',
    body: 'Your changes were sent, and what became of them is said here. Elsewhere you would not learn it.',
    stay: 'Stay here',
    leave: 'Leave all the same',
  },
  discard: {
    title: 'Discard what you changed?',
    body: 'The entity stays as it was loaded.',
    action: (count: number) => `Discard ${changes(count)}`,
  },

  review: {
    title: (type: string) => `Review the changes to ${type}`,
    key: 'Key',
    was: 'Was',
    willBe: 'Will be',
    entityType: 'Type of the entity',
    added: 'Added',
    edited: 'Changed',
    removed: 'Removed',
    secret: 'Sensitive value',
    secretChanged: 'Changed',
    notSensitive: 'Not sensitive',
    request: 'What is sent',
    patch: (keys: readonly string[], others: number, withType: boolean) => [
      keys.length === 0
        ? 'The type of the entity alone is sent.'
        : `Only ${properties(keys.length)} (${listed(keys)})${withType ? ' and the type of the entity' : ''} ${keys.length === 1 && !withType ? 'is' : 'are'} sent.`,
      others === 0
        ? ''
        : keys.length === 0
          ? `The ${properties(others)} ${others === 1 ? 'is' : 'are'} not touched.`
          : `The other ${others === 1 ? 'one is' : `${number(others)} are`} not touched.`,
    ],
    put: (keys: readonly string[], kept: number) => [
      'A removal or a new key replaces the entity as a whole.',
      keys.length === 0
        ? 'No property is left.'
        : `${keys.length === 1 ? 'The one property that is left is' : `All ${properties(keys.length)} that it will have are`} sent (${listed(keys)}).`,
      kept === 0
        ? ''
        : `${counted(kept, { one: 'hidden value is', other: 'hidden values are' })} not sent: the service is told to keep ${kept === 1 ? 'it' : 'them'}.`,
    ],
    ifMatch:
      'The service takes it only if nobody has changed the entity since it was read. Otherwise it is read again and merged: what only one of you changed by itself, and what both changed is put to you.',
    readFirst:
      'The entity is read again right before, and merged with what somebody else may have changed: what only one of you changed by itself, and what both changed is put to you.',
    exact: 'Show the exact request',
    hiddenValue: 'hidden',
    back: 'Back',
    save: (changed: number, removed: number) =>
      changed === 0 && removed > 0 ? `Save ${removals(removed)}` : `Save ${changes(changed + removed)}`,
  },
  reviewAll: {
    unsaved: (count: number) => `Unsaved in ${entities(count)}`,
    open: 'Review all…',
    title: 'Review all unsaved changes',
    save: (count: number, of: number) => `Save ${changes(count)} in ${entities(of)}`,
    /** @param theirs What others changed, and of which entity. */
    saved: (count: number, of: number, theirs: readonly string[] = []) =>
      [
        `${changes(count)} in ${entities(of)} saved`,
        ...(theirs.length === 0 ? [] : [keptTheirs(theirs)]),
      ].join('. '),
    theirs: (key: string, entity: string) => `${key} of ${entity}`,
    keptTheirs,
    done: 'Saved',
    goTo: 'Show it in the form',
    invalid: 'This cannot be saved as it stands',
    invalidBody: 'It stays unsaved. What is wrong stands beside its properties.',
    undecided: 'It stays unsaved until you have chosen between the two.',
    unknown: 'The answer was lost. Saving it again is safe: what is stored is read first.',
    unclear:
      'The answer was lost, and what is stored now is not exactly what was sent. Look at what is different before you save it again.',
  },
  saved: (count: number, theirs: readonly string[] = []) =>
    [
      count === 0 ? 'What they saved was kept' : `${changes(count)} saved`,
      ...(theirs.length === 0 || count === 0 ? [] : [keptTheirs(theirs)]),
    ].join('. '),
  created: (type: string) => `Created ${type}`,
  deleted: (type: string) => `Deleted entity ${type}`,

  failure: {
    title: 'Not saved',
    kept: 'Everything you typed is still here.',
    notSent: 'Nothing was sent, because the entity could not be read first.',
    missing: { body: 'This entity does not exist any more: somebody deleted it.' },
    lost: { body: 'The answer was lost. The entity was read again: nothing of this has been stored.' },
    other: 'The service could not store it.',
    fault: 'The service could not store it.',
    invalid: 'What the service said stands beside the properties.',
    unknownTitle: 'It is not known whether this was saved',
    unknownBody:
      'The answer was lost, and the service cannot be asked what it has stored. Check before saving again.',
    check: 'Check what is stored',
    unknownRepeatable:
      'The answer was lost. Sending the same once more is safe: the service recognises it, and does it once.',
    repeat: 'Send it again',
    unclearTitle: 'It is not certain that this was saved',
    unclearBody:
      'The answer was lost, and what is stored now is not exactly what was sent. It is the state below that your changes now start from: look at them before saving again.',
    conflictTitle: 'Somebody else changed the same properties',
    conflictBody:
      'Nothing was sent. What they wrote stands beside your changes: choose there, or side by side in the review.',
    unreadTitle: 'Saved, but the entity could not be read again',
    unreadBody: 'What you see is what you sent. Read it again before you change more.',
    readAgain: 'Read it again',
  },

  history: {
    open: 'History',
    of: (key: string) => `History of ${key}`,
    unavailable: 'This service does not keep what changed.',
    unsettled: 'First it is to be found out what became of the last save.',
  },

  remove: {
    action: 'Delete entity',
    title: (type: string, count: number) => `Delete the entity ${type} with ${properties(count)}?`,
    restorable:
      'The user stays. The entity can be put back from their activity, hidden values included, as long as the user is there.',
    final: 'The user stays. The entity and all its properties are removed for good.',
    confirm: (type: string) => `Delete entity ${type}`,
    failed: 'Not deleted',
    failure: {
      lost: {
        title: 'It is not known whether it was deleted',
        body: 'The answer was lost. Deleting it again does no harm.',
      },
      other: 'The entity is as it was.',
    },
  },
}

/** Texts of the question that two edits of the same properties of an entity raise. */
export const entityMergeText = {
  title: (type: string) => `Somebody else changed this ${type} meanwhile`,
  entityType: 'Type of the entity',
  gone: 'Removed',
  absent: 'Not there',
  hidden: 'Hidden value',
  hiddenUnchanged: 'Value unchanged (hidden)',
  hiddenChanged: 'Changed value (hidden)',
  hiddenNew: 'New value (hidden)',
  takesKey: (key: string) => `Takes the place of their ${key}`,
  addedKey: (key: string) => `They added ${key}:`,
  removedKey: (key: string) => `They removed ${key}`,
  lost: (keys: readonly string[]) =>
    `They removed ${listed(keys)}. The hidden value went with it, so what you changed there cannot be kept.`,
}

/** Texts of the history of an entity and of one of its properties. What opens it stands with the entity's own texts. */
export const historyText = {
  ofProperty: 'History of',
  ofEntity: (type: string) => `History of this ${type}`,
  list: 'Changes, newest first',

  by: (actor: string) => `by ${actor}`,
  byYou: 'by you',
  entity: {
    added: (type: string, count: number) => `Created ${type} with ${properties(count)}`,
    removed: (type: string) => `Deleted ${type}`,
    restored: (type: string, count: number) => `Restored ${type} with ${properties(count)}`,
    changed: (_type: string, count: number) => (count === 0 ? 'Changed' : `Changed ${properties(count)}`),
    type: 'Type of the entity',
    reordered: 'Nothing but the order of the properties.',
  },
  property: { added: 'Added', changed: 'Changed', removed: 'Removed', renamed: 'Key changed' },
  was: 'was',
  became: 'became',
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
  reverting: {
    open: 'Put back…',
    hint: 'The service puts the hidden value back at once, without showing it.',
    title: (key: string) => `Put back the hidden value of ${key}?`,
    body: (key: string, time: string) =>
      `${key} becomes what it was before ${time}. The service does this at once and shows the value to nobody. What it is now stays in the history, and can be put back in the same way.`,
    failed: 'Not put back',
    failure: {
      missing: { body: 'The entity or what changed is no longer there.' },
      lost: { body: 'The answer was lost. Putting it back again does no harm.' },
    },
    contested: (key: string) => `Somebody else changed ${key} meanwhile`,
    contestedBody: 'Nothing was put back. Look at the entity as it is now first.',
    done: (key: string) => `${key} is as it was`,
    unread: 'It was put back, but the entity could not be read again. Load the page anew.',
  },
  reason: {
    hidden: 'The history does not show sensitive values, so an old one cannot be put back.',
    oneByOne: 'Hidden values are put back one by one.',
    marked: 'Before that it was not sensitive: take the mark off instead.',
    unsaved: 'Save or discard your changes first: the service puts a hidden value back at once.',
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

/** Texts of relationships: what they name, and how it is found. */
export const targetText = {
  noName: 'No name',
  gone: 'no longer there',
  userGone: 'This user is no longer there. The id stays as it is.',
  entityGone: 'This entity is no longer there. The id stays as it is.',
  users: 'Users',
  entities: 'Entities of this user',
  search: 'Name, e-mail, ref or id',
  thisUser: 'This user',
  byId: 'Write or paste the id of a user, or the address of a page here.',
  noSearch: 'This service cannot look for users: write or paste an id.',
  searching: 'Searching…',
  nothing: 'No user is found by this.',
  similar: 'Nobody matches exactly; these are similar.',
  more: (shown: number, total: number | undefined) =>
    total === undefined
      ? `The first ${number(shown)}. Type more to narrow it down.`
      : `${number(shown)} of ${number(total)}. Type more to narrow it down.`,
  failed: 'Users cannot be looked for just now. An id can be written.',
  entityPlaceholder: 'Entity (optional)',
  loadingEntities: 'Loading the entities…',
  entitiesFailed: 'The entities could not be loaded. An id can be written.',
  noEntities: 'This user has no entities.',
  noSuchEntity: 'No entity of this user matches.',
  userFirst: 'Choose the user first.',
}
