import { counted, number } from '../format.ts'
import { listed } from '../listed.ts'

const properties = (count: number) => counted(count, { one: 'property', other: 'properties' })
const changes = (count: number) => counted(count, { one: 'change', other: 'changes' })
const entities = (count: number) => counted(count, { one: 'entity', other: 'entities' })
const removals = (count: number) => counted(count, { one: 'removal', other: 'removals' })

const keptTheirs = (labels: readonly string[]) =>
  `Someone else changed ${listed(labels)}: their changes are kept.`

interface Edits {
  readonly changed: number
  readonly removed: number
}

/** Texts of a user's entities and of the property editor. A `label` is a property's key as people write it. */
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
    /** For those who may not change it: types, keys as they are stored, and history. */
    open: 'Details',
    addTo: (entity: string) => `Add property to ${entity}`,
    editOf: (label: string) => `Edit ${label}`,
    close: 'Close editor',
    showProperties: (count: number) => `Show all ${properties(count)}`,
    showEntities: (count: number) => `Show all ${number(count)} entities`,
  },
  failed: { title: 'Couldn’t load the entities' },
  gone: {
    title: 'This entity doesn’t exist',
    body: 'It was deleted, or the link is wrong.',
    restorable: 'It was deleted, or the link is wrong. You can restore a deleted entity.',
  },

  form: {
    type: 'Type of the entity',
    typeLabel: 'Type',
    typePlaceholder: 'e.g. person, car, address',
    typeHint: 'One lower-case word for what it describes, such as person, car or address.',
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
    elsewhere: ({ key, type, users, isMore }: KnownElsewhere) =>
      users === undefined
        ? `“${key}” (${type}) is used elsewhere.`
        : `${isMore ? 'More than ' : ''}${counted(users, { one: 'user has', other: 'users have' })} “${key}” (${type}).`,
    takeKey: (key: string) => `Use “${key}”`,
    takeType: (type: string) => `Use the type ${type}`,
    none: 'No properties yet.',
    readOnly: 'You can look at these values, but not change them.',
    onScreenOnly: 'Sensitive values are hidden on screen only: the service has sent them to this browser.',
    repeated: (keys: readonly string[]) =>
      `This service stores ${listed(keys)} more than once, so a change can’t say which one is meant. You can’t change these properties here, or remove or rename any property.`,
    repeatedReason: 'This entity has a property more than once, so it can’t be changed here.',
    movedUnseen: 'A hidden value can’t move to another key. Replace the value too, or keep the key.',
    openUser: 'Open user',
    openEntity: 'Open entity',
  },

  find: {
    label: 'Find properties',
    placeholder: 'Key, type or value',
    clear: 'Clear search',
    changed: 'Changed',
    problems: 'With problems',
    shown: ({ shown, all }: { readonly shown: number; readonly all: number }) =>
      `${number(shown)} of ${properties(all)}`,
    none: 'No property found. Hidden values aren’t searched.',
  },

  masked: 'Hidden',
  /** Once for the page: why values are hidden, and what the reader can do about them. */
  maskedNote: {
    checkable: 'Your role can check hidden values, but not see them.',
    byService: 'This service doesn’t show hidden values.',
  },
  reveal: 'Reveal',
  revealOf: (label: string) => `Reveal ${label}`,
  revealing: {
    body: 'The value is shown for one minute.',
    reason: 'Reason',
    reasonOptional: 'Reason (optional)',
    reasonHint: 'Stored with your name in the event log.',
    reasonMissing: 'Enter why you need the value.',
    reasonTooLong: 'At most 500 characters.',
    failed: 'Not revealed',
    failure: {
      invalid: 'Someone removed this property.',
      offline: 'No answer came. Your reason is still here: try again.',
      busy: (seconds: number | undefined) =>
        seconds === undefined
          ? 'Too many reveals in a short time. Try again in a moment.'
          : `Too many reveals in a short time. Try again in ${counted(seconds, { one: 'second', other: 'seconds' })}.`,
    },
  },
  check: 'Check…',
  checkOf: (label: string) => `Check ${label}`,
  checking: {
    body: 'The service compares what you type with the hidden value, and doesn’t show it. The event log keeps every check with your name.',
    said: 'The caller says',
    missing: 'Enter what the caller says.',
    action: 'Check',
    yes: 'Match',
    yesBody: 'This is what we have on file.',
    no: 'Doesn’t match',
    noBody: 'This is not what we have on file.',
    failed: 'Not checked',
    failure: {
      missing: { body: 'This user no longer exists.' },
      invalid: 'Someone removed this value, or changed its type.',
      lost: { body: 'The answer was lost. Check again: this counts as another check.' },
      busy: (seconds: number | undefined) =>
        seconds === undefined
          ? 'Too many checks in a short time. Try again later.'
          : `Too many checks in a short time. Try again in ${counted(Math.ceil(seconds / 60), { one: 'minute', other: 'minutes' })}.`,
    },
  },
  hiddenIn: (seconds: number) => `Hidden again in ${seconds} s`,
  hide: 'Hide',
  hideOf: (label: string) => `Hide ${label}`,
  replace: 'Replace',
  replaceOf: (label: string) => `Replace ${label}`,
  keep: 'Keep old value',
  keepOf: (label: string) => `Keep old value of ${label}`,
  emptyIt: 'Clear value',
  emptyOf: (label: string) => `Clear value of ${label}`,
  willBeEmpty: 'Will be empty',
  unchanged: 'New value (blank keeps the old one)',
  copyValue: (label: string) => `Copy ${label}`,

  template: {
    label: 'Start with',
    hint: 'Enter a type to start with its usual properties.',
    none: (type: string) => `No known keys for “${type}” yet.`,
    last: ({ type, count }: KeysOfType) => `Keys of this user’s last ${type} (${number(count)})`,
    known: ({ type, count }: KeysOfType) => `All known keys of ${type} (${number(count)})`,
    chosen: (count: number) =>
      `${counted(count, { one: 'key', other: 'keys' })} added. Blank values aren’t saved.`,
    blank: 'Not saved while blank',
  },

  typeMissing: 'Enter a type.',
  keyMissing: 'Enter a property.',
  keyTaken: 'Another property has this key.',
  meanwhile: {
    changed: 'Someone else changed this while you edited it. It is now:',
    added: 'Someone else added the same property. Their value:',
    removed: 'Someone else removed this while you edited it.',
    removedKey: 'Someone else removed the property that had this key.',
    addedKey: 'Someone else renamed another property to this.',
    hidden: 'Someone else changed this sensitive value while you edited it.',
    type: (type: string) => `Someone else changed the type to “${type}” while you edited it.`,
  },

  bar: {
    summary: ({ changed, removed }: Edits) =>
      [changed > 0 && changes(changed), removed > 0 && removals(removed)].filter(Boolean).join(' · '),
    invalid: (count: number) =>
      `${counted(count, { one: 'row needs', other: 'rows need' })} attention before you can save.`,
    discard: 'Discard',
    review: 'Review…',
    create: 'Create entity',
    cancel: 'Cancel',
  },
  /** While a save is on its way, and while nobody knows its outcome. */
  leaveUnsettled: {
    title: 'Your save isn’t confirmed yet. Leave anyway?',
    body: 'If you leave, you won’t find out whether your changes were saved.',
    stay: 'Stay here',
    leave: 'Leave anyway',
  },
  discard: {
    title: 'Discard your changes?',
    body: 'The stored entity stays as it is.',
    action: (count: number) => `Discard ${changes(count)}`,
  },

  review: {
    title: (type: string) => `Review changes to ${type}`,
    key: 'Property',
    was: 'Was',
    willBe: 'Will be',
    entityType: 'Type of the entity',
    added: 'Added',
    edited: 'Changed',
    removed: 'Removed',
    secret: 'Sensitive value',
    secretChanged: 'Changed',
    notSensitive: 'Not sensitive',
    request: 'Effect of saving',
    patch: ({ labels, withType }: { readonly labels: readonly string[]; readonly withType: boolean }) =>
      labels.length === 0
        ? 'Only the entity type changes.'
        : withType
          ? `Only the entity type and these properties change: ${listed(labels)}.`
          : labels.length === 1
            ? `Only ${listed(labels)} changes.`
            : `Only these properties change: ${listed(labels)}.`,
    put: ({ labels, hidden }: { readonly labels: readonly string[]; readonly hidden: number }) =>
      [
        labels.length === 0
          ? 'The entity is saved as a whole, without properties.'
          : `The entity is saved as a whole, with these properties: ${listed(labels)}.`,
        ...(hidden === 0
          ? []
          : [
              `${counted(hidden, { one: 'hidden value stays as it is', other: 'hidden values stay as they are' })}.`,
            ]),
      ].join(' '),
    merges:
      'If someone else has edited this entity, your changes are merged. You’re only asked about values you both changed.',
    exact: 'Show the exact request',
    hiddenValue: 'hidden',
    back: 'Back',
    save: ({ changed, removed }: Edits) =>
      changed === 0 && removed > 0 ? `Save ${removals(removed)}` : `Save ${changes(changed + removed)}`,
  },
  reviewAll: {
    unsaved: (count: number) => `Unsaved in ${entities(count)}`,
    open: 'Review all…',
    title: 'Review all unsaved changes',
    save: ({ count, of }: ChangesIn) => `Save ${changes(count)} in ${entities(of)}`,
    /** @param theirs What others changed, and of which entity. */
    saved: ({ count, of, theirs = [] }: ChangesIn & { readonly theirs?: readonly string[] }) =>
      [
        `${changes(count)} in ${entities(of)} saved`,
        ...(theirs.length === 0 ? [] : [keptTheirs(theirs)]),
      ].join('. '),
    theirs: ({ label, entity }: { readonly label: string; readonly entity: string }) =>
      `${label} of ${entity}`,
    keptTheirs,
    done: 'Saved',
    goTo: 'Show in form',
    invalid: 'These changes can’t be saved yet',
    invalidBody: 'This entity wasn’t saved. See the messages next to its fields.',
    undecided: 'This entity isn’t saved until you choose between your values and theirs.',
    unknown: 'No answer came. You can safely save again: the stored entity is read first.',
    unclear:
      'The answer was lost, and the stored entity differs from what you sent. Look at the differences before you save again.',
  },
  saved: ({
    count,
    theirs = [],
  }: {
    readonly count: number
    readonly theirs?: readonly string[] | undefined
  }) =>
    [
      count === 0 ? 'Their changes are kept' : `${changes(count)} saved`,
      ...(theirs.length === 0 || count === 0 ? [] : [keptTheirs(theirs)]),
    ].join('. '),
  created: (type: string) => `Created ${type}`,
  deleted: (type: string) => `Deleted entity ${type}`,

  failure: {
    title: 'Not saved',
    kept: 'Everything you typed is still here.',
    notSent: 'Nothing was sent, because the entity couldn’t be read first.',
    missing: { body: 'Someone deleted this entity.' },
    lost: { body: 'The answer was lost. The entity was read again: none of your changes are stored.' },
    other: 'The service couldn’t save it.',
    fault: 'The service couldn’t save it.',
    invalid: 'See the messages next to the fields.',
    unknownTitle: 'Your save isn’t confirmed',
    unknownBody:
      'No answer came, and the stored entity can’t be read. Check the entity before you save again.',
    check: 'Check stored entity',
    unknownRepeatable: 'No answer came. You can safely send your changes again: they are saved only once.',
    repeat: 'Send again',
    unclearTitle: 'Your save may not be complete',
    unclearBody:
      'The answer was lost, and the stored entity differs from what you sent. The form now compares your changes with the stored entity: look at them before you save again.',
    conflictTitle: 'Someone else changed the same properties',
    conflictBody:
      'Nothing was sent. Their values are next to yours: choose there, or side by side in the review.',
    unreadTitle: 'Saved, but the entity couldn’t be read again',
    unreadBody: 'This page shows what you sent. Reload the entity before you change anything else.',
    readAgain: 'Read entity again',
  },

  history: {
    open: 'History',
    of: (label: string) => `History of ${label}`,
    unavailable: 'This service keeps no history.',
    unsettled: 'Waiting to confirm your last save.',
  },

  remove: {
    action: 'Delete entity',
    title: ({ type, count }: { readonly type: string; readonly count: number }) =>
      `Delete the entity ${type} with ${properties(count)}?`,
    restorable:
      'The user stays. You can restore the entity from the user’s activity, hidden values included, as long as the user exists.',
    final: 'The user stays. The entity and all its properties are deleted for good.',
    confirm: (type: string) => `Delete entity ${type}`,
    failed: 'Not deleted',
    failure: {
      lost: {
        title: 'The deletion isn’t confirmed',
        body: 'The answer was lost. You can safely delete it again.',
      },
      other: 'The entity is unchanged.',
    },
  },
}

interface KnownElsewhere {
  readonly key: string
  /** Data type, by its name. */
  readonly type: string
  readonly users: number | undefined
  readonly isMore: boolean
}

interface KeysOfType {
  readonly type: string
  readonly count: number
}

interface ChangesIn {
  /** Number of changes. */
  readonly count: number
  /** Number of entities. */
  readonly of: number
}

/** Texts of the question that two edits of the same properties of an entity raise. */
export const entityMergeText = {
  title: (type: string) => `Someone else changed this ${type}`,
  entityType: 'Type of the entity',
  gone: 'Removed',
  absent: 'Didn’t exist',
  hidden: 'Hidden value',
  hiddenUnchanged: 'Value unchanged (hidden)',
  hiddenChanged: 'Changed value (hidden)',
  hiddenNew: 'New value (hidden)',
  takesKey: (label: string) => `Replaces their ${label}`,
  addedKey: (label: string) => `They added ${label}:`,
  removedKey: (label: string) => `They removed ${label}`,
  lost: (labels: readonly string[]) =>
    `They removed ${listed(labels)}, hidden value included. Your changes there can’t be kept.`,
}

interface RestoreTo {
  readonly label: string
  /** The value before it is restored. */
  readonly time: string
}

/** Texts of the history of an entity and of one of its properties. Its buttons are named by the entity's own texts. */
export const historyText = {
  ofProperty: (label: string) => `History of ${label}`,
  ofEntity: (type: string) => `History of this ${type}`,
  list: 'Changes, newest first',

  by: (actor: string) => `by ${actor}`,
  byYou: 'by you',
  entity: {
    added: ({ type, count }: KeysOfType) => `Created ${type} with ${properties(count)}`,
    removed: ({ type }: KeysOfType) => `Deleted ${type}`,
    restored: ({ type, count }: KeysOfType) => `Restored ${type} with ${properties(count)}`,
    changed: ({ count }: KeysOfType) => (count === 0 ? 'Changed' : `Changed ${properties(count)}`),
    type: 'Type of the entity',
    reordered: 'Only the order changed.',
  },
  property: { added: 'Added', changed: 'Changed', removed: 'Removed', renamed: 'Key changed' },
  was: 'was',
  became: 'became',
  hidden: { added: 'Added (hidden)', changed: 'Changed (hidden)', removed: 'Removed (hidden)' },
  becameSensitive: 'Marked as sensitive',
  becamePlain: 'No longer marked as sensitive',
  whole: 'Show the whole value',
  moreProperties: (count: number) => `Show ${properties(count)} more`,
  notKept: 'The service no longer keeps the details of this change.',
  someNotKept: (count: number) =>
    `The service no longer keeps the details of ${changes(count)} of this entity. Some may be about this property.`,

  restore: 'Restore',
  restoreOf: ({ label, time }: RestoreTo) => `Restore ${label} as it was before ${time}`,
  restoreAll: 'Restore all',
  restoreSome: ({ count, of }: { readonly count: number; readonly of: number }) =>
    `Restore ${number(count)} of ${number(of)}`,
  restoreAllOf: ({ label, time }: RestoreTo) => `${label}, as it was before ${time}`,
  restoreHint: 'Restores it in the form. Nothing is saved yet.',
  restoreOverEdit: 'Restores it in the form, over your unsaved change.',
  inForm: (label: string) => `${label} restored in the form. Not saved yet.`,
  allInForm: (count: number) => `${changes(count)} restored in the form. Not saved yet.`,
  reverting: {
    open: 'Restore…',
    hint: 'Restores the hidden value at once, without showing it.',
    title: (label: string) => `Restore the hidden value of ${label}?`,
    body: ({ label, time }: RestoreTo) =>
      `${label} gets the value it had before ${time}, at once. The value stays hidden. You can undo this from the history.`,
    failed: 'Not restored',
    failure: {
      missing: { body: 'The entity or its earlier value no longer exists.' },
      lost: { body: 'The answer was lost. You can safely restore it again.' },
    },
    contested: (label: string) => `Someone else changed ${label}`,
    contestedBody: 'Nothing was restored. Reload the entity first.',
    done: (label: string) => `${label} restored to its previous value`,
    unread: 'The value was restored, but the entity couldn’t be reloaded. Reload the page.',
  },
  reason: {
    hidden: 'The history doesn’t show sensitive values, so this one can’t be restored.',
    oneByOne: 'Restore hidden values one by one.',
    marked: 'This property wasn’t sensitive then. Turn off “Sensitive” instead.',
    unsaved: 'Save or discard your changes first: a hidden value is restored at once.',
    same: 'It’s the same now.',
    gone: 'This property no longer exists.',
    keyTaken: (key: string) => `Another property now has the key ${key}.`,
  },

  none: 'No changes recorded.',
  notYet: (count: number) => `This property isn’t in the newest ${changes(count)} to this entity.`,
  searching: (count: number) => `Searched the newest ${changes(count)} to this entity…`,
  older: 'Show older',
  end: (count: number) => `That’s the whole history (${changes(count)}).`,
  more: (count: number) => `The newest ${changes(count)}`,
  searched: ({ found, count }: { readonly found: number; readonly count: number }) =>
    `${counted(found, { one: 'entry', other: 'entries' })} among the newest ${changes(count)} of the entity`,
  failed: 'Couldn’t load the history',
  olderFailed: 'Couldn’t load older changes',
}

/** Texts of relationships: users and entities that they name, and how to find these. */
export const targetText = {
  noName: 'No name',
  gone: 'not found',
  userGone: 'This user no longer exists. The id is kept.',
  entityGone: 'This entity no longer exists. The id is kept.',
  users: 'Users',
  entities: 'Entities of this user',
  search: 'Name, e-mail, ref or id',
  thisUser: 'This user',
  byId: 'Enter a user’s id, or the address of their page.',
  noSearch: 'This service can’t search users. Enter an id.',
  searching: 'Searching…',
  nothing: 'No user found.',
  similar: 'No exact match. These are similar.',
  more: ({ shown, total }: { readonly shown: number; readonly total: number | undefined }) =>
    total === undefined
      ? `The first ${number(shown)}. Type more to narrow it down.`
      : `${number(shown)} of ${number(total)}. Type more to narrow it down.`,
  failed: 'The search isn’t available just now. You can enter an id.',
  entityPlaceholder: 'Entity (optional)',
  loadingEntities: 'Loading entities…',
  entitiesFailed: 'Couldn’t load the entities. You can enter an id.',
  noEntities: 'This user has no entities.',
  noSuchEntity: 'No entity of this user matches.',
  userFirst: 'Choose the user first.',
}
