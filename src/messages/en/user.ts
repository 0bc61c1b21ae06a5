import { defineMessages } from '../language/message.ts'

/** Texts of one user's page beyond the identity: tabs, the merge of two edits, segments, the record. */
export const userPageText = defineMessages({
  tabs: {
    label: 'About this user',
    entities: 'Entities',
    activity: 'Activity',
    segments: 'Segments',
    record: 'Record',
  },
  side: {
    consents: 'Consents',
    segments: 'Segments',
    none: 'In no segments',
    /** `more`: there are segments beyond the ones that are shown. */
    why: { none: 'See all segments', all: 'See why', more: 'See all {count, number} and why' },
    timeline: 'Timeline',
  },
  failed: {
    activity: 'Couldn’t load the activity',
    segments: 'Couldn’t load the segments',
    record: 'Couldn’t load the record',
  },
  merge: {
    title: '{name} has changed since you opened it',
    savedBoth: 'Saved. Someone else changed {fields}: their changes are kept.',
    nothingSent: 'Nothing to save. Their changes are kept.',
  },
  segments: {
    in: 'In',
    notIn: 'Not in',
    unknown: 'Unknown',
    unknownBody: 'These segments use sensitive data that your role can’t see, so membership can’t be shown.',
    inNone: 'In no segments.',
    none: {
      title: 'No segments yet',
      body: 'A segment is a saved filter, such as users whose car inspection is due.',
      action: 'Go to segments',
    },
    nameless: 'Segment {id}',
    list: 'Segments: {group}',
  },
  record: {
    body: 'The user’s data as the service returns it, without sensitive values or the invitation link.',
    user: 'User',
    entities: 'Entities ({count, number})',
    copyUser: 'Copy the user as JSON',
    copyEntities: 'Copy the entities as JSON',
    readAt: 'Loaded {time}',
    again: 'Reload record',
    access: 'Subject access…',
    open: 'Record as JSON',
  },
})

/** Texts of a user's timeline. */
export const activityText = defineMessages({
  title: 'Activity, newest first',
  empty: {
    title: 'No activity yet',
    body: 'Every change to this user and their entities appears here.',
  },
  kind: 'Show',
  kinds: { all: 'All', change: 'Changes', read: 'Views' },
  moreChanges: 'and {count, number} more',
  similar: '{count, plural, one {# similar event} other {# similar events}}',
  older: 'Show older events',
  olderFailed: 'Couldn’t load older events',
  loaded: '{count, plural, one {The only event} other {All # events}}',
  loadedMore: '{count, plural, one {The newest event} other {The newest # events}}',
  by: 'by {actor}',
  byYou: 'by you',
  /**
   * One event on one line. `type` is that of the entity. If a text has a second form that ends in `In`, an event about
   * a `person`, the usual type, gets the first form.
   */
  line: {
    userChanged: 'Changed {fields}',
    /** The fields are not known. */
    userChangedSomehow: 'Changed the user',
    entityAdded: 'Created {type}',
    entityRestored: 'Restored {type}',
    entityRemoved: 'Deleted {type}',
    entityChanged: {
      unnamed: 'Changed {type}',
      named: 'Changed {properties}',
      namedIn: 'Changed {properties} ({type})',
    },
    entityUnknown: 'Changed an entity',
    entityGone: 'Changed an entity that was deleted later',
    read: {
      unnamed: 'Viewed sensitive values',
      unnamedIn: 'Viewed sensitive values ({type})',
      named: 'Viewed {properties}',
      namedIn: 'Viewed {properties} ({type})',
    },
    checked: {
      unnamed: 'Checked sensitive values',
      unnamedIn: 'Checked sensitive values ({type})',
      named: 'Checked {properties}',
      namedIn: 'Checked {properties} ({type})',
    },
    searched: 'Looked up segments that use sensitive values',
    searchedBy: 'Looked up segments that use {properties}',
  },
  reason: 'Reason: {reason}',
  event: 'Event {id}',
  openEntity: 'Open entity',
  deletedEntity: 'Entity {id} (deleted)',
})

/** Texts for a user's fields, and for editing or deleting a user. */
export const userEditText = defineMessages({
  fields: {
    name: 'Name',
    email: 'E-mail',
    ref: 'Ref',
    refHint: 'Your own reference, such as a contract number',
    since: 'Since ({zone})',
    sinceHint: 'When the user joined. Leave empty for the current time.',
    emailInvalid: 'Enter an e-mail address such as ana@example.org.',
    sinceInvalid: 'Enter a valid date and time, such as {example}.',
  },
  /** Names of the fields within a sentence. */
  fieldsWithin: { name: 'name', email: 'e-mail', ref: 'ref', since: '“since” date' },
  user: {
    identity: 'Identity',
    id: 'Id',
    edit: 'Edit',
    save: '{count, plural, =0 {Save changes} one {Save # change} other {Save # changes}}',
    saveOne: 'Save',
    saved: 'Saved',
    changed: '{field} changed',
    editOf: 'Edit {field}',
    actions: 'More actions',
    copyInvitation: 'Copy invitation link',
    pin: 'Pin',
    unpin: 'Unpin',
    pinned: 'Pinned. You’ll find this user first in “Find”, and above the list of users on wide screens.',
    unpinned: 'Unpinned',
    invitationCopied: 'Invitation link copied. Anyone with the link can sign up as this user.',
    invitationMissing: 'This user has no invitation link.',
    invitationFailed: 'Couldn’t copy the invitation link.',
    copyEmail: 'Copy e-mail',
    copyRef: 'Copy ref',
    outdatedTitle: 'This page may be out of date',
    outdatedBody: 'The user couldn’t be reloaded.',
    goneTitle: 'User not found',
    goneBody: 'This user was deleted, or the link is wrong.',
    toList: 'Go to all users',
    toDeleted: 'Go to deleted users',
  },
  remove: {
    failure: {
      lost: {
        title: 'The user may have been deleted',
        body: 'The service didn’t answer. You can safely delete the user again.',
      },
      codes: {
        personal_reference:
          'The reference identifies the user, and is kept after deletion. Use one without personal data, such as a ticket number.',
        reference_required: 'This service needs a reference for each deletion.',
      },
    },
    action: 'Delete user…',
    title: 'Delete {name}?',
    body: 'This deletes the user and all their entities and properties at once. Events keep only the ids. You can’t undo this.',
    word: 'delete',
    nameless: 'this user',
    submit: 'Delete user',
    /** `afterwards`: a sentence that says when the deletion is final. */
    done: {
      named: '{name} deleted',
      namedThen: '{name} deleted. {afterwards}',
      nameless: 'User deleted',
      namelessThen: 'User deleted. {afterwards}',
    },
    // The promise covers only sensitive data: see docs/decisions/0010-erasure.md.
    byService: {
      before: 'Sensitive data becomes unrecoverable by {time}. Backups made before then still contain it.',
      afterwards: 'Sensitive data becomes unrecoverable by {time}.',
    },
    byOperator: {
      before:
        'Sensitive data becomes unrecoverable once the operator of this service has replaced its master key. Backups made before then still contain it.',
      afterwards:
        'Sensitive data becomes unrecoverable once the operator of this service has replaced its master key.',
    },
    reference: {
      label: 'Reference',
      optional: 'Reference (optional)',
      hint: 'For example a ticket number. Leave out personal data: the reference is kept after deletion.',
      missing: 'Enter a reference.',
      tooLong: 'Use at most {most, number} characters.',
      email: 'Leave out the e-mail address. The reference is kept after deletion.',
      invalid: 'Use letters, digits and punctuation only.',
    },
    waiting:
      '{count, plural, one {# earlier deletion isn’t final yet. Oldest: {time}} other {# earlier deletions aren’t final yet. Oldest: {time}}}',
  },
  failure: {
    title: 'Not saved',
    lost: {
      title: 'Your changes may have been saved',
      body: 'The service didn’t answer. What you typed is still here, and you can safely save again.',
    },
    missing: { body: 'This user was deleted.' },
    kept: 'What you typed is still here.',
  },
})

/** Why a user is in a segment, or is not. */
export const evaluationText = defineMessages({
  label: { in: 'Why', out: 'Why not' },
  labelOf: { in: 'Why: {segment}', out: 'Why not: {segment}' },
  failed: 'Couldn’t load the explanation',
  gone: 'This segment was deleted.',
  unknown: 'This segment uses sensitive data that your role can’t see, so membership can’t be shown.',
  changed: {
    in: 'This has changed since the list was loaded: the user is now in the segment.',
    out: 'This has changed since the list was loaded: the user is no longer in the segment.',
  },
  asOf: 'Checked {time}',
  /** Read by screen readers before the condition. */
  holdsBefore: 'Met:',
  failsBefore: 'Not met:',
  /** Groups of `total` conditions, of which `held` are met. */
  all: '{total, plural, =0 {Everyone} =1 {{held, plural, =0 {Condition not met} other {Condition met}}} other {All of these: {held, number} of {total, number} met}}',
  any: '{total, plural, =0 {Nobody} =1 {{held, plural, =0 {Condition not met} other {Condition met}}} other {Any of these: {held, number} of {total, number} met}}',
  not: { holds: 'Must not apply, and doesn’t', fails: 'Must not apply, but does' },
  /** `thing`: "a car"; `things`: "cars", in the form used after the number `min`. */
  has: 'Has {min, plural, =1 {{thing}} other {{min, number} or more {things}}}',
  hasTested: 'Has {min, plural, =1 {{thing}} other {{min, number} or more {things}}} where…',
  found: 'Found: {value}',
  noValue: 'no value',
  /** For a property whose type is not the one that the condition asks for. */
  otherType: 'Found: a value of type “{actual}”, but the condition needs “{wanted}”',
  masked: 'Hidden',
  /** `things`: "cars", in the form used after the number `count`. */
  count: '{count, plural, =0 {Found: no {things}} other {Found: # {things}}}',
  fitting:
    '{count, plural, =0 {Found: no {things}} =1 {{fit, plural, =0 {Found: {count, number} {things}, not matching} other {Found: {count, number} {things}, matching}}} other {{fit, plural, =0 {Found: {count, number} {things}, none matching} other {Found: {count, number} {things}, # matching}}}}',
  others: 'Show all {count, number} {things}',
  /** Whether an entity passes all tests (`matches`) or only some (`held`). */
  matches: 'matches',
  held: '{held, number} of {total, number} met',
  inSegment: 'In the segment {segment}',
  segmentGone: 'This segment was deleted, so nobody is in it.',
  check: {
    title: 'Check a user',
    label: 'User',
    in: '{user} is in this segment.',
    out: '{user} isn’t in this segment.',
    unknown: '{user} can’t be checked: this segment uses sensitive data that your role can’t see.',
    gone: 'This user was deleted, or the id is wrong.',
  },
})
