import { defineMessages } from '../message.ts'

/** Texts of a user's entities and of the property editor. A `label` is a property's key as people write it. */
export const entityText = defineMessages({
  title: 'Entities',
  newTitle: 'New entity',
  /** An entity by what tells it from others of its type: “Renault Mégane car”. */
  named: '{facts} {type}',
  add: 'Add entity',
  empty: {
    title: 'No entities yet',
    body: 'An entity is one thing that belongs to this user, such as a car or an address, with its properties.',
  },
  reading: {
    edit: 'Edit',
    editEntity: 'Edit {entity}',
    /** For those who may not change it: types, keys as they are stored, and history. */
    open: 'Details',
    openEntity: 'Details {entity}',
    addTo: 'Add property to {entity}',
    editOf: 'Edit {label}',
    close: 'Close editor',
    showProperties: '{count, plural, one {Show all # property} other {Show all # properties}}',
    showEntities: '{count, plural, other {Show all # entities}}',
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
    created: 'Created {time}',
    list: 'Properties',
    key: 'Key',
    propertyType: 'Type',
    value: 'Value',
    sensitive: 'Sensitive',
    unnamed: 'new property',
    keyOf: 'Key of {key}',
    typeOf: 'Type of {key}',
    valueOf: 'Value of {key}',
    sensitiveOf: '{key} is sensitive',
    remove: 'Remove {key}',
    undo: 'Undo the change of {key}',
    undoRemoval: 'Keep {key}',
    undoMeanwhile: 'Take theirs',
    takeTheirs: 'Take theirs: {key}',
    keepMine: 'Keep yours',
    keepMineOf: 'Keep yours: {key}',
    removed: 'Will be removed',
    addProperty: 'Add property',
    knownKeys: 'Known keys',
    /** Suggests a known key in place of a likely slip, with the number of its users as far as they are counted. */
    elsewhere: {
      uncounted: '“{key}” ({type}) is used elsewhere.',
      counted: '{users, plural, one {# user has “{key}” ({type}).} other {# users have “{key}” ({type}).}}',
      more: '{users, plural, one {More than # user has “{key}” ({type}).} other {More than # users have “{key}” ({type}).}}',
    },
    takeKey: 'Use “{key}”',
    takeType: 'Use the type {type}',
    none: 'No properties yet.',
    readOnly: 'You can look at these values, but not change them.',
    onScreenOnly: 'Sensitive values are hidden on screen only: the service has sent them to this browser.',
    repeated:
      'This service stores {keys} more than once, so a change can’t say which one is meant. You can’t change these properties here, or remove or rename any property.',
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
    shown: '{total, plural, one {{shown, number} of # property} other {{shown, number} of # properties}}',
    none: 'No property found. Hidden values aren’t searched.',
  },

  masked: 'Hidden',
  /** Once for the page: why values are hidden, and what the reader can do about them. */
  maskedNote: {
    checkable: 'Your role can check hidden values, but not see them.',
    byService: 'This service doesn’t show hidden values.',
  },
  reveal: 'Reveal',
  revealOf: 'Reveal {label}',
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
    },
    busy: 'Too many reveals in a short time. Try again in a moment.',
    busyFor:
      '{seconds, plural, one {Too many reveals in a short time. Try again in # second.} other {Too many reveals in a short time. Try again in # seconds.}}',
  },
  check: 'Check…',
  checkOf: 'Check {label}',
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
    },
    busy: 'Too many checks in a short time. Try again later.',
    busyFor:
      '{minutes, plural, one {Too many checks in a short time. Try again in # minute.} other {Too many checks in a short time. Try again in # minutes.}}',
  },
  hiddenIn: 'Hidden again in {seconds, number} s',
  hide: 'Hide',
  hideOf: 'Hide {label}',
  replace: 'Replace',
  replaceOf: 'Replace {label}',
  keep: 'Keep old value',
  keepOf: 'Keep old value of {label}',
  emptyIt: 'Clear value',
  emptyOf: 'Clear value of {label}',
  willBeEmpty: 'Will be empty',
  unchanged: 'New value (blank keeps the old one)',
  copyValue: 'Copy {label}',

  template: {
    label: 'Start with',
    hint: 'Enter a type to start with its usual properties.',
    none: 'No known keys for “{type}” yet.',
    last: 'Keys of this user’s last {type} ({count, number})',
    known: 'All known keys of {type} ({count, number})',
    chosen:
      '{count, plural, one {# key added. Blank values aren’t saved.} other {# keys added. Blank values aren’t saved.}}',
    blank: 'Not saved while blank',
  },

  typeMissing: 'Enter a type.',
  keyMissing: 'Enter a property.',
  keyTaken: 'Another property has this key.',
  meanwhile: {
    changed: 'Someone else changed this while you edited it. It is now: {value}',
    added: 'Someone else added the same property. Their value: {value}',
    removed: 'Someone else removed this while you edited it.',
    removedKey: 'Someone else removed the property that had this key.',
    addedKey: 'Someone else renamed another property to this.',
    hidden: 'Someone else changed this sensitive value while you edited it.',
    type: 'Someone else changed the type to “{type}” while you edited it.',
  },

  bar: {
    changes: '{count, plural, one {# change} other {# changes}}',
    removals: '{count, plural, one {# removal} other {# removals}}',
    invalid:
      '{count, plural, one {# row needs attention before you can save.} other {# rows need attention before you can save.}}',
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
    action: '{count, plural, one {Discard # change} other {Discard # changes}}',
  },

  review: {
    title: 'Review changes to {type}',
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
    patch: {
      type: 'Only the entity type changes.',
      typeAndProperties: 'Only the entity type and these properties change: {properties}.',
      properties:
        '{count, plural, one {Only {properties} changes.} other {Only these properties change: {properties}.}}',
    },
    put: {
      none: 'The entity is saved as a whole, without properties.',
      properties: 'The entity is saved as a whole, with these properties: {properties}.',
      hidden:
        '{count, plural, one {# hidden value stays as it is.} other {# hidden values stay as they are.}}',
    },
    merges:
      'If someone else has edited this entity, your changes are merged. You’re only asked about values you both changed.',
    exact: 'Show the exact request',
    hiddenValue: 'hidden',
    back: 'Back',
    save: '{count, plural, one {Save # change} other {Save # changes}}',
    saveRemovals: '{count, plural, one {Save # removal} other {Save # removals}}',
  },
  reviewAll: {
    unsaved: '{count, plural, one {Unsaved in # entity} other {Unsaved in # entities}}',
    open: 'Review all…',
    title: 'Review all unsaved changes',
    save: '{count, plural, one {Save # change {entities, plural, one {in # entity} other {in # entities}}} other {Save # changes {entities, plural, one {in # entity} other {in # entities}}}}',
    saved:
      '{count, plural, one {# change {entities, plural, one {in # entity saved} other {in # entities saved}}} other {# changes {entities, plural, one {in # entity saved} other {in # entities saved}}}}',
    /** Each property is named with its entity, as `theirs` does. */
    savedWithTheirs:
      '{count, plural, one {# change {entities, plural, one {in # entity saved. Someone else changed {properties}: their changes are kept.} other {in # entities saved. Someone else changed {properties}: their changes are kept.}}} other {# changes {entities, plural, one {in # entity saved. Someone else changed {properties}: their changes are kept.} other {in # entities saved. Someone else changed {properties}: their changes are kept.}}}}',
    theirs: '{label} of {entity}',
    keptTheirs: 'Someone else changed {properties}: their changes are kept.',
    done: 'Saved',
    goTo: 'Show in form',
    invalid: 'These changes can’t be saved yet',
    invalidBody: 'This entity wasn’t saved. See the messages next to its fields.',
    undecided: 'This entity isn’t saved until you choose between your values and theirs.',
    unknown: 'No answer came. You can safely save again: the stored entity is read first.',
    unclear:
      'The answer was lost, and the stored entity differs from what you sent. Look at the differences before you save again.',
  },
  saved: {
    theirs: 'Their changes are kept',
    mine: '{count, plural, one {# change saved} other {# changes saved}}',
    both: '{count, plural, one {# change saved. Someone else changed {properties}: their changes are kept.} other {# changes saved. Someone else changed {properties}: their changes are kept.}}',
  },
  created: 'Created {type}',
  deleted: 'Deleted entity {type}',

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
    of: 'History of {label}',
    unavailable: 'This service keeps no history.',
    unsettled: 'Waiting to confirm your last save.',
  },

  remove: {
    action: 'Delete entity',
    title:
      '{count, plural, one {Delete the entity {type} with # property?} other {Delete the entity {type} with # properties?}}',
    restorable:
      'The user stays. You can restore the entity from the user’s activity, hidden values included, as long as the user exists.',
    final: 'The user stays. The entity and all its properties are deleted for good.',
    confirm: 'Delete entity {type}',
    failed: 'Not deleted',
    failure: {
      lost: {
        title: 'The deletion isn’t confirmed',
        body: 'The answer was lost. You can safely delete it again.',
      },
      other: 'The entity is unchanged.',
    },
  },
})

/** Texts of the question that two edits of the same properties of an entity raise. */
export const entityMergeText = defineMessages({
  title: 'Someone else changed this {type}',
  entityType: 'Type of the entity',
  gone: 'Removed',
  absent: 'Didn’t exist',
  hidden: 'Hidden value',
  hiddenUnchanged: 'Value unchanged (hidden)',
  hiddenChanged: 'Changed value (hidden)',
  hiddenNew: 'New value (hidden)',
  takesKey: 'Replaces their {label}',
  addedKey: 'They added {label}: {value}',
  removedKey: 'They removed {label}',
  lost: 'They removed {properties}, hidden value included. Your changes there can’t be kept.',
})

/** Texts of the history of an entity and of one of its properties. Its buttons are named by the entity's own texts. */
export const historyText = defineMessages({
  ofProperty: 'History of {label}',
  ofEntity: 'History of this {type}',
  list: 'Changes, newest first',

  by: 'by {actor}',
  byYou: 'by you',
  entity: {
    added: '{count, plural, one {Created {type} with # property} other {Created {type} with # properties}}',
    removed: 'Deleted {type}',
    restored:
      '{count, plural, one {Restored {type} with # property} other {Restored {type} with # properties}}',
    changed: '{count, plural, =0 {Changed} one {Changed # property} other {Changed # properties}}',
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
  moreProperties: '{count, plural, one {Show # property more} other {Show # properties more}}',
  notKept: 'The service no longer keeps the details of this change.',
  someNotKept:
    '{count, plural, one {The service no longer keeps the details of # change of this entity. Some may be about this property.} other {The service no longer keeps the details of # changes of this entity. Some may be about this property.}}',

  restore: 'Restore',
  restoreOf: 'Restore {label} as it was before {time}',
  restoreAll: 'Restore all',
  restoreSome: 'Restore {count, number} of {total, number}',
  restoreSomeOf: 'Restore {count, number} of {total, number}, as it was before {time}',
  restoreAllOf: 'Restore all, as it was before {time}',
  restoreHint: 'Restores it in the form. Nothing is saved yet.',
  restoreOverEdit: 'Restores it in the form, over your unsaved change.',
  inForm: '{label} restored in the form. Not saved yet.',
  allInForm:
    '{count, plural, one {# change restored in the form. Not saved yet.} other {# changes restored in the form. Not saved yet.}}',
  reverting: {
    open: 'Restore…',
    hint: 'Restores the hidden value at once, without showing it.',
    title: 'Restore the hidden value of {label}?',
    body: '{label} gets the value it had before {time}, at once. The value stays hidden. You can undo this from the history.',
    failed: 'Not restored',
    failure: {
      missing: { body: 'The entity or its earlier value no longer exists.' },
      lost: { body: 'The answer was lost. You can safely restore it again.' },
    },
    contested: 'Someone else changed {label}',
    contestedBody: 'Nothing was restored. Reload the entity first.',
    done: '{label} restored to its previous value',
    unread: 'The value was restored, but the entity couldn’t be reloaded. Reload the page.',
  },
  reason: {
    hidden: 'The history doesn’t show sensitive values, so this one can’t be restored.',
    oneByOne: 'Restore hidden values one by one.',
    marked: 'This property wasn’t sensitive then. Turn off “Sensitive” instead.',
    unsaved: 'Save or discard your changes first: a hidden value is restored at once.',
    same: 'It’s the same now.',
    gone: 'This property no longer exists.',
    keyTaken: 'Another property now has the key {key}.',
  },

  none: 'No changes recorded.',
  notYet:
    '{count, plural, one {This property isn’t in the newest # change to this entity.} other {This property isn’t in the newest # changes to this entity.}}',
  searching:
    '{count, plural, one {Searched the newest # change to this entity…} other {Searched the newest # changes to this entity…}}',
  older: 'Show older',
  end: '{count, plural, one {That’s the whole history (# change).} other {That’s the whole history (# changes).}}',
  more: '{count, plural, one {The newest # change} other {The newest # changes}}',
  searched:
    '{found, plural, one {# entry {count, plural, one {among the newest # change of the entity} other {among the newest # changes of the entity}}} other {# entries {count, plural, one {among the newest # change of the entity} other {among the newest # changes of the entity}}}}',
  failed: 'Couldn’t load the history',
  olderFailed: 'Couldn’t load older changes',
})

/** Texts of relationships: users and entities that they name, and how to find these. */
export const targetText = defineMessages({
  noName: 'No name',
  gone: '{id} not found',
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
  more: 'The first {shown, number}. Type more to narrow it down.',
  moreOf: '{shown, number} of {total, number}. Type more to narrow it down.',
  failed: 'The search isn’t available just now. You can enter an id.',
  entityPlaceholder: 'Entity (optional)',
  loadingEntities: 'Loading entities…',
  entitiesFailed: 'Couldn’t load the entities. You can enter an id.',
  noEntities: 'This user has no entities.',
  noSuchEntity: 'No entity of this user matches.',
  userFirst: 'Choose the user first.',
})
