import { defineMessages } from '../language/message.ts'

/** Texts of a user's entities and of the property editor. A `label` is a property's key as people write it. */
export const entityText = defineMessages({
  title: 'Entities',
  newTitle: 'New entity',
  /** Name of an entity that distinguishes it from others of its type: “Renault Mégane car”. */
  named: '{facts} {type}',
  add: 'Add entity',
  empty: {
    title: 'No entities yet',
    body: 'An entity is one thing that belongs to this user, such as a car or an address. Its properties describe it.',
  },
  reading: {
    edit: 'Edit',
    editEntity: 'Edit {entity}',
    /** Link for people who may not change the entity. Leads to its types, stored keys and history. */
    open: 'Details',
    openEntity: 'Details of {entity}',
    addTo: 'Add property to {entity}',
    editOf: 'Edit {label}',
    /** Form of one property, opened in its row. */
    oneValue: 'Edit {label}',
    save: 'Save',
    cancel: 'Cancel',
    sensitive: 'Sensitive',
    willBeRemoved: 'Removed when you save',
    close: 'Close editor',
    showProperties: '{count, plural, one {Show all # property} other {Show all # properties}}',
    showEntities: '{count, plural, other {Show all # entities}}',
  },
  failed: { title: 'Couldn’t load the entities' },
  gone: {
    title: 'This entity doesn’t exist',
    body: 'The entity was deleted, or the link is wrong.',
  },

  form: {
    type: 'Entity type',
    typeLabel: 'Type',
    typePlaceholder: 'e.g. person, car',
    created: 'Created {time}',
    list: 'Properties',
    key: 'Property',
    propertyType: 'Type',
    value: 'Value',
    sensitive: 'Sensitive',
    unnamed: 'new property',
    keyOf: 'Property: {label}',
    typeOf: 'Type of {label}',
    valueOf: 'Value of {label}',
    sensitiveOf: '{label} is sensitive',
    remove: 'Remove {label}',
    undo: 'Undo the change to {label}',
    undoRemoval: 'Keep {label}',
    undoConflict: 'Keep theirs',
    takeTheirs: 'Keep theirs: {label}',
    keepMine: 'Keep yours',
    keepMineOf: 'Keep yours: {label}',
    removed: 'Will be removed',
    addProperty: 'Add property',
    none: 'No properties yet.',
    readOnly: 'You can view these values, but not change them.',
    onScreenOnly: 'Sensitive values are hidden on screen only: the service has sent them to this browser.',
    repeated:
      '{count, plural, one {{properties} appears} other {{properties} appear}} more than once here, so you can’t change {count, plural, one {it} other {them}}, or remove or rename any property.',
    repeatedReason: 'This property appears more than once here, so you can’t change it.',
    movedUnseen:
      'You can’t rename a property while its value is hidden. Enter a new value too, or keep the name.',
    openUser: 'Open user',
    openEntity: 'Open entity',
  },

  find: {
    label: 'Find properties',
    placeholder: 'Property, type or value',
    clear: 'Clear search',
    changed: 'Changed',
    problems: 'With problems',
    shown: '{total, plural, one {{shown, number} of # property} other {{shown, number} of # properties}}',
    none: 'No properties found. Hidden values aren’t searched.',
  },

  /** Shown once on the page, below all entities. */
  maskedNote: 'Your role can check hidden values, but not see them.',
  reveal: 'Reveal',
  revealOf: 'Reveal {label}',
  revealing: {
    body: 'The value is shown for one minute.',
    /** Announcements. Screen readers read the value itself only where one moves to it. */
    revealed: '{label} revealed, hidden again in {seconds, number} seconds',
    hidden: '{label} hidden',
    reason: 'Reason',
    reasonOptional: 'Reason (optional)',
    reasonHint: 'Saved with your name in the audit log.',
    reasonMissing: 'Enter a reason.',
    reasonTooLong: 'Use at most 500 characters.',
    failed: 'Not revealed',
    failure: {
      invalid: 'Someone removed this property.',
      offline: 'The service didn’t answer. Your reason is still here: try again.',
    },
    busy: 'Too many reveals in a short time. Try again in a moment.',
    busyFor:
      '{seconds, plural, one {Too many reveals in a short time. Try again in # second.} other {Too many reveals in a short time. Try again in # seconds.}}',
  },
  check: 'Check…',
  checkOf: 'Check {label}',
  checking: {
    body: 'We compare what you type with the stored value. You won’t see it, and the check is logged with your name.',
    said: 'Value to check',
    missing: 'Enter a value.',
    action: 'Check',
    yes: 'Match',
    yesBody: 'This is what we have on file.',
    no: 'Doesn’t match',
    noBody: 'This isn’t what we have on file.',
    failed: 'Not checked',
    failure: {
      missing: { body: 'This user no longer exists.' },
      invalid: 'Someone removed this value, or changed its type.',
      lost: { body: 'The service didn’t answer. You can check again, which counts as another check.' },
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
  /** Shows a sensitive value again that the person has saved less than a minute ago. */
  showSaved: 'Show what I saved',
  showSavedOf: 'Show what I saved as {label}',
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
    none: 'No known properties for {type} yet.',
    last: 'Properties of this user’s last {type} ({count, number})',
    known: 'All known properties for {type} ({count, number})',
    chosen:
      '{count, plural, one {# property added. Properties without a value aren’t saved.} other {# properties added. Properties without a value aren’t saved.}}',
  },

  typeMissing: 'Enter a type.',
  keyMissing: 'Enter a property.',
  keyTaken: 'This property is already listed.',
  conflict: {
    changed: 'Someone else changed this property while you were editing it. Their value: {value}',
    added: 'Someone else added the same property. Their value: {value}',
    removed: 'Someone else removed this property while you were editing it.',
    removedKey: 'Someone else removed the property that had this name.',
    addedKey: 'Someone else gave this name to another property.',
    hidden: 'Someone else changed this sensitive value while you were editing it.',
    type: 'Someone else changed the entity type to {type} while you were editing.',
  },

  bar: {
    changes: '{count, plural, one {# change} other {# changes}}',
    removals: '{count, plural, one {# removal} other {# removals}}',
    invalid:
      '{count, plural, one {# property needs attention before you can save.} other {# properties need attention before you can save.}}',
    discard: 'Discard',
    review: 'Review…',
    create: 'Create entity',
    cancel: 'Cancel',
  },
  /** Asked of a person who leaves while a save is in progress or its outcome is unknown. */
  leaveUnsettled: {
    title: 'Your save isn’t confirmed yet. Leave anyway?',
    body: 'If you leave, you won’t find out whether your changes were saved.',
    stay: 'Stay here',
    leave: 'Leave anyway',
  },
  /** Before an older consent replaces a later one. */
  older: {
    title: '{count, plural, one {Replace a later consent?} other {Replace # later consents?}}',
    question: '{label}: {stored} is stored. Your change says {given}, which is earlier.',
    hidden:
      '{label}: the stored consent is hidden. It may be later than your change, {given}. Reveal it to be sure.',
    action: '{count, plural, one {Replace the later consent} other {Replace # later consents}}',
  },

  discard: {
    title: 'Discard your changes?',
    body: 'The stored entity stays as it is.',
    action: '{count, plural, one {Discard # change} other {Discard # changes}}',
  },

  review: {
    title: 'Review changes to {type}',
    key: 'Property',
    was: 'Now',
    willBe: 'After saving',
    entityType: 'Entity type',
    added: 'Added',
    edited: 'Changed',
    removed: 'Removed',
    secret: 'Sensitive value',
    notSensitive: 'Not sensitive',
    request: 'Effect of saving',
    patch:
      '{types, select, alone {Only the entity type changes.} too {Only the entity type and these properties change: {properties}.} other {{count, plural, one {Only {properties} changes.} other {Only these properties change: {properties}.}}}}',
    put: '{count, plural, =0 {The entity is saved as a whole, without properties.} other {The entity is saved as a whole, with these properties: {properties}.}}{hidden, plural, =0 {} one { # hidden value stays as it is.} other { # hidden values stay as they are.}}',
    merges:
      'If someone else has edited this entity, your changes are merged. You’re only asked about values you both changed.',
    exact: 'Show the exact request',
    hiddenValue: 'hidden',
    back: 'Back',
    save: '{count, plural, one {Save # change} other {Save # changes}}',
    saveRemovals: '{count, plural, one {Save # removal} other {Save # removals}}',
  },
  saved: {
    type: 'Entity type changed',
    /** One property; its values are short texts. */
    changed: '{label} changed from {before} to {after}',
    set: '{label} set to {after}',
    removed: '{label} removed',
    changedSomehow: '{label} changed',
    added: '{label} added',
    /** `saved`: one of the sentences above. */
    oneWithTheirs: '{saved}. Someone else changed {properties}: their changes are kept.',
    theirs: 'Nothing to save. Their changes are kept.',
    mine: '{count, plural, one {# change saved} other {# changes saved}}',
    both: '{count, plural, one {# change saved. Someone else changed {properties}: their changes are kept.} other {# changes saved. Someone else changed {properties}: their changes are kept.}}',
  },
  created: '{type} added',
  deleted: '{type} deleted',

  failure: {
    title: 'Not saved',
    kept: 'What you typed is still here.',
    notSent: 'Nothing was sent, because the entity couldn’t be loaded first.',
    missing: { body: 'Someone deleted this entity.' },
    lost: {
      body: 'The service didn’t answer, so the entity was reloaded: none of your changes were saved. You can safely save again.',
    },
    other: 'The service couldn’t save your changes. Try again in a moment.',
    fault: 'Something went wrong on this page. Try again in a moment.',
    invalid: 'See the messages next to the fields.',
    unknownTitle: 'Your changes may have been saved',
    unknownBody:
      'The service didn’t answer, and the stored entity couldn’t be loaded. Check the stored entity before you save again.',
    check: 'Check stored entity',
    unknownRepeatable:
      'The service didn’t answer. You can safely send your changes again: they are saved only once.',
    repeat: 'Send again',
    unclearTitle: 'Your changes may be only partly saved',
    unclearBody:
      'The service didn’t answer, and the stored entity differs from what you sent. The form now compares your changes with the stored entity: look at them before you save again.',
    conflictTitle: 'Someone else changed the same properties',
    conflictBody:
      'Nothing was sent. Their values are shown next to yours: choose there, or side by side in the review.',
    /** Conflict about a property that is edited alone. */
    rowConflictTitle: 'Someone else changed this property',
    rowConflictBody: 'Nothing was sent. Save again to see both values and choose one.',
    unreadTitle: 'Saved, but the entity couldn’t be reloaded',
    unreadBody: 'This page shows what you sent. Reload the entity before you change anything else.',
    readAgain: 'Reload entity',
  },

  history: {
    open: 'History',
    of: 'History of {label}',
    unavailable: 'This service keeps no history.',
    unsettled: 'Waiting to confirm your last save.',
  },

  remove: {
    action: 'Delete this {type}',
    title:
      '{count, plural, =0 {Delete this {type}?} one {Delete this {type} with # property?} other {Delete this {type} with # properties?}}',
    restorable:
      'The user stays. You can restore the entity from the user’s activity, hidden values included, as long as the user exists.',
    final: 'The user stays. The entity and all its properties are deleted for good.',
    confirm: 'Delete {type}',
    failed: 'Not deleted',
    failure: {
      lost: {
        title: 'The entity may have been deleted',
        body: 'The service didn’t answer. You can safely delete the entity again.',
      },
      other: 'The entity is unchanged. Try again in a moment.',
    },
  },
})

/** Texts of the dialog in which a person decides a conflict between two edits of an entity. */
export const entityMergeText = defineMessages({
  title: '{entity} has changed since you opened it',
  entityType: 'Entity type',
  gone: 'Removed',
  absent: 'Didn’t exist',
  hidden: 'Hidden value',
  hiddenUnchanged: 'Unchanged value (hidden)',
  hiddenChanged: 'Changed value (hidden)',
  takesKey: 'Replaces their {label}',
  addedKey: 'They added {label}: {value}',
  removedKey: 'They removed {label}',
  lost: 'They removed {properties}, including hidden values. Your changes to these can’t be kept.',
})

/** Texts of the history of an entity or a property. The buttons that open it have theirs in `entityText.history`. */
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
    type: 'Entity type',
    reordered: 'Only the order changed.',
  },
  property: { added: 'Added', changed: 'Changed', removed: 'Removed', renamed: 'Renamed' },
  was: 'was',
  became: 'became',
  hidden: { added: 'Added (hidden)', changed: 'Changed (hidden)', removed: 'Removed (hidden)' },
  sameAsNow: 'Same as now',
  /** Name of a hidden value for the buttons that reveal and hide it. */
  hiddenOf: '{label}, changed {time}',
  becameSensitive: 'Marked as sensitive',
  becamePlain: 'No longer marked as sensitive',
  whole: 'Show the whole value',
  moreProperties: '{count, plural, one {Show # more property} other {Show # more properties}}',
  notKept: 'The service no longer keeps the details of this change.',
  someNotKept:
    '{count, plural, one {The service no longer keeps the details of # change to this entity, which may be about this property.} other {The service no longer keeps the details of # changes to this entity, some of which may be about this property.}}',

  restore: 'Restore',
  restoreOf: 'Restore {label} as it was before {time}',
  restoreAll: 'Restore all',
  restoreSome: 'Restore {count, number} of {total, number}',
  restoreSomeOf: 'Restore {count, number} of {total, number} to their state before {time}',
  restoreAllOf: 'Restore all to their state before {time}',
  restoreHint: 'Restores the earlier state in the form. Nothing is saved yet.',
  restoreOverEdit: 'Restores the earlier state in the form and replaces your unsaved change.',
  inForm: '{label} restored in the form. Not saved yet.',
  allInForm:
    '{count, plural, one {# change restored in the form. Not saved yet.} other {# changes restored in the form. Not saved yet.}}',
  reverting: {
    open: 'Restore…',
    hint: 'Restores the hidden value immediately, without showing it.',
    title: 'Restore the hidden value of {label}?',
    body: '{label} immediately gets the value it had before {time}. The value stays hidden. You can undo this from the history.',
    failed: 'Not restored',
    failure: {
      missing: { body: 'The entity or its earlier value no longer exists.' },
      lost: { body: 'The service didn’t answer. You can safely restore the value again.' },
    },
    contested: 'Someone else changed {label}',
    contestedBody: 'Nothing was restored. Reload the entity first.',
    done: '{label} restored to its previous value',
    unread: 'The entity couldn’t be reloaded. Reload the page to see its current state.',
  },
  reason: {
    hidden: 'This property had another name then, so its hidden value can’t be restored from here.',
    oneByOne: 'Restore hidden values one by one.',
    marked: 'This property wasn’t sensitive then. Turn off “Sensitive” instead.',
    unsaved: 'Save or discard your changes first: a hidden value is restored immediately.',
    same: 'Nothing to restore: this is already in the form.',
    gone: 'This property no longer exists.',
    keyTaken: 'Another property is now called {label}.',
  },

  none: 'No changes recorded.',
  notYet:
    '{count, plural, one {This property isn’t in the newest # change to this entity.} other {This property isn’t in the newest # changes to this entity.}}',
  searching:
    '{count, plural, one {Searched the newest change of this entity…} other {Searched the newest # changes of this entity…}}',
  older: 'Show older changes',
  end: '{count, plural, one {That’s the whole history (# change).} other {That’s the whole history (# changes).}}',
  more: '{count, plural, one {The newest # change} other {The newest # changes}}',
  searched:
    '{found, plural, one {# change} other {# changes}} among the newest {count, number} of this entity',
  failed: 'Couldn’t load the history',
  olderFailed: 'Couldn’t load older changes',
})

/** Texts of relationships: the users and entities that they refer to, and the search for these. */
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
  noSearch: 'This service can’t search for users. Enter an id.',
  searching: 'Searching…',
  nothing: 'No users found.',
  similar: 'No exact match. These are similar.',
  more: 'Showing the first {shown, number}. Type more to narrow the list.',
  moreOf: 'Showing {shown, number} of {total, number}. Type more to narrow the list.',
  failed: 'Couldn’t search for users. You can enter an id.',
  entityPlaceholder: 'Entity (optional)',
  loadingEntities: 'Loading entities…',
  entitiesFailed: 'Couldn’t load the entities. You can enter an id.',
  noEntities: 'This user has no entities.',
  noSuchEntity: 'None of this user’s entities match.',
  userFirst: 'Choose a user first.',
})
