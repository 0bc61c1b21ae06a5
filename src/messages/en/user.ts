import { counted, number } from '../format.ts'
import { listed } from '../listed.ts'
import { aThing, things } from './segments.ts'

const events = (count: number) => counted(count, { one: 'event', other: 'events' })
const users = (count: number) => counted(count, { one: 'user', other: 'users' })

/** Texts of one user's page beyond the identity: tabs, the merge of two edits, segments, the record. */
export const userPageText = {
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
    why: ({ count, shown }: { readonly count: number; readonly shown: number }) =>
      count === 0 ? 'See why not' : count > shown ? `See all ${number(count)}, and why` : 'See why',
    timeline: 'Timeline',
  },
  failed: {
    activity: 'Couldn’t load the activity',
    segments: 'Couldn’t load the segments',
    record: 'Couldn’t load the record',
  },
  merge: {
    title: 'Someone else changed this user too',
    savedBoth: (names: readonly string[]) =>
      `Saved. Someone else changed ${listed(names)}: their changes are kept.`,
    nothingSent: 'Nothing to save. Their changes are kept.',
  },
  segments: {
    in: 'In',
    notIn: 'Not in',
    unknown: 'Unknown',
    unknownBody:
      'These segments use sensitive data that your role may not see, so membership can’t be shown.',
    inNone: 'In no segments.',
    none: {
      title: 'No segments yet',
      body: 'A segment is a saved filter, such as users whose car inspection is due.',
      action: 'Go to segments',
    },
    nameless: (id: string) => `Segment ${id}`,
    list: (name: string) => `Segments: ${name}`,
    bare: 'This service can’t list a user’s segments. Check one segment at a time: the console searches its users.',
    check: 'Check',
    checkOf: (name: string) => `Check ${name}`,
    stop: 'Stop',
    stopOf: (name: string) => `Stop checking ${name}`,
    goOn: 'Continue',
    goOnOf: (name: string) => `Continue checking ${name}`,
    member: 'In this segment',
    notMember: 'Not in this segment',
    checked: ({ count, total }: { readonly count: number; readonly total: number | undefined }) =>
      total === undefined ? `Checked ${users(count)}` : `Checked ${number(count)} of ${users(total)}`,
    failed: 'The check stopped early.',
    forbidden: 'This segment uses data that your role may not see.',
    gone: 'This segment was deleted.',
  },
  record: {
    body: 'The user’s data as the service returns it, without sensitive values and the invitation link.',
    user: 'User',
    entities: (count: number) => `Entities (${number(count)})`,
    copyUser: 'Copy the user as JSON',
    copyEntities: 'Copy the entities as JSON',
    readAt: 'Loaded',
    again: 'Reload record',
    access: 'Subject access…',
    open: 'Record as JSON',
  },
}

interface OfEntity {
  /** `undefined`: not known. */
  readonly type: string | undefined
  /** Labels; none where they are not known. */
  readonly properties: readonly string[]
}

/** Properties of an entity, with its type where that is not the usual `person`. */
const inEntity = ({ type, labels }: { readonly type: string | undefined; readonly labels: string }) =>
  type === undefined || type === 'person' ? labels : `${labels} (${type})`

const sensitive = ({ type, properties }: OfEntity) =>
  inEntity({ type, labels: properties.length === 0 ? 'sensitive values' : properties.join(', ') })

/** Texts of a user's timeline. */
export const activityText = {
  title: 'Activity, newest first',
  empty: {
    title: 'No activity yet',
    body: 'Every change to this user and their entities appears here.',
  },
  kind: 'Show',
  kinds: { all: 'All', change: 'Changes', read: 'Views' },
  moreChanges: (count: number) => `and ${number(count)} more`,
  similar: (count: number) => counted(count, { one: 'similar event', other: 'similar events' }),
  older: 'Show older events',
  olderFailed: 'Couldn’t load older events',
  loaded: (count: number) => `All ${events(count)}`,
  loadedMore: (count: number) => `Newest ${events(count)}`,
  noChanges: 'This service records that something changed, but not what.',
  by: (actor: string) => `by ${actor}`,
  byYou: 'by you',
  /** One event in one line. */
  line: {
    userChanged: (fields: readonly string[]) =>
      fields.length === 0 ? 'Changed the user’s fields' : `Changed ${listed(fields)}`,
    entityAdded: (type: string) => `Added ${type}`,
    entityRestored: (type: string) => `Restored ${type}`,
    entityRemoved: (type: string) => `Deleted ${type}`,
    entityChanged: ({ type, properties }: OfEntity & { readonly type: string }) =>
      properties.length === 0
        ? `Changed data in ${type}`
        : `Changed ${inEntity({ type, labels: listed(properties) })}`,
    entityUnknown: 'Changed data in an entity',
    entityGone: 'Changed data in an entity that was deleted later',
    read: (read: OfEntity) => `Viewed ${sensitive(read)}`,
    checked: (checked: OfEntity) => `Checked ${sensitive(checked)}`,
    searched: (properties: readonly string[]) =>
      properties.length === 0 ? 'Looked up segments' : `Looked up segments by ${properties.join(', ')}`,
  },
  reason: (reason: string) => `Reason: ${reason}`,
  event: 'Event',
  openEntity: 'Open entity',
  deletedEntity: (id: string) => `Entity ${id} (deleted)`,
  changesFailed: 'Couldn’t load the change',
  changesGone: 'The service no longer keeps the details of this change.',
  scan: {
    explain: 'This service can’t look up one user’s events, so the console searches the log, newest first.',
    searched: ({ count, total }: { readonly count: number; readonly total: number }) =>
      `Searched ${number(count)} of ${events(total)}`,
    back: 'back to',
    searching: 'Searching…',
    found: (count: number) => `${number(count)} found`,
    complete: 'That’s everything: older events can’t be about this user.',
    nothing: 'No events about this user found so far.',
    older: 'Search older events',
    stop: 'Stop',
    failedTitle: 'The search stopped early',
    failedBody: 'Events found so far are kept. Retry to continue.',
    progress: 'Share of the log searched',
  },
}

/** Texts of a user's fields, of editing and deleting them. */
export const userEditText = {
  fields: {
    name: 'Name',
    email: 'E-mail',
    ref: 'Ref',
    refHint: 'Your own reference, such as a contract number',
    since: (zone: string) => `Since (${zone})`,
    sinceHint: 'Leave empty for the current time',
    emailInvalid: 'Enter an e-mail address such as ana@example.org.',
    sinceInvalid: (example: string) => `Enter a valid date and time, such as ${example}.`,
  },
  user: {
    identity: 'Identity',
    id: 'Id',
    edit: 'Edit',
    save: (changes: number) =>
      changes === 0 ? 'Save changes' : `Save ${counted(changes, { one: 'change', other: 'changes' })}`,
    saved: 'Saved',
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
        title: 'The deletion isn’t confirmed',
        body: 'No answer came, so the user may already be deleted. You can safely delete again.',
      },
      codes: {
        personal_reference:
          'The reference identifies the user, and is kept after deletion. Use one without personal data, such as a ticket number.',
        reference_required: 'This service needs a reference for each deletion.',
      },
    },
    action: 'Delete user…',
    title: (name: string) => `Delete ${name}?`,
    body: 'This deletes the user and all their entities and properties at once. Events keep only the ids. You can’t undo this.',
    word: 'delete',
    nameless: 'this user',
    submit: 'Delete user',
    done: ({
      name,
      afterwards,
    }: {
      readonly name: string | undefined
      readonly afterwards: string | undefined
    }) => {
      const deleted = name === undefined ? 'User deleted' : `${name} deleted`
      return afterwards === undefined ? deleted : `${deleted}. ${afterwards}`
    },
    // Sensitive data is all that is promised: docs/decisions/0010-erasure.md.
    byService: {
      before: (minute: string) =>
        `Sensitive data is unrecoverable from ${minute} at the latest. Backups made before then still contain it.`,
      afterwards: (minute: string) => `Sensitive data becomes unrecoverable by ${minute}.`,
    },
    byOperator: {
      before:
        'Sensitive data is unrecoverable once the operator of this service has replaced its master key. Backups made before then still contain it.',
      afterwards:
        'Sensitive data becomes unrecoverable once the operator of this service has replaced its master key.',
    },
    reference: {
      label: 'Reference',
      optional: 'Reference (optional)',
      hint: 'For example a ticket number. No personal data: it is kept after deletion.',
      missing: 'Enter a reference.',
      tooLong: (most: number) => `At most ${number(most)} characters.`,
      email: 'Leave out the e-mail address. The reference is kept after deletion.',
      invalid: 'Use letters, digits and punctuation only.',
    },
    waiting: (count: number) =>
      `${counted(count, { one: 'earlier deletion is', other: 'earlier deletions are' })} still waiting. Oldest:`,
  },
  failure: {
    title: 'Not saved',
    lost: {
      title: 'Your save isn’t confirmed',
      body: 'No answer came. What you typed is still here, and you can safely save again.',
    },
    missing: { body: 'This user was deleted.' },
    kept: 'What you typed is still here.',
  },
}

const found = (count: number, type: string) =>
  count === 0
    ? `no ${things('', type).trim()}`
    : count === 1
      ? things('1', type)
      : things(number(count), type)

/** Why a user is in a segment, or is not. */
export const evaluationText = {
  label: { in: 'Why', out: 'Why not' },
  labelOf: (isMember: boolean, name: string) => `${isMember ? 'Why' : 'Why not'}: ${name}`,
  failed: 'Couldn’t load the reasons',
  gone: 'This segment was deleted.',
  unknown: 'This segment uses sensitive data that your role may not see, so membership can’t be shown.',
  changed: (isMember: boolean) =>
    isMember
      ? 'This changed since the list was loaded: the user is now in the segment.'
      : 'This changed since the list was loaded: the user is no longer in the segment.',
  asOf: 'Checked',
  holds: 'Met:',
  fails: 'Not met:',
  all: (held: number, of: number) => {
    if (of === 0) return 'Everyone'
    if (of === 1) return held === 1 ? 'Condition met' : 'Condition not met'
    return `All of these: ${number(held)} of ${number(of)} met`
  },
  any: (held: number, of: number) => {
    if (of === 0) return 'Nobody'
    if (of === 1) return held === 1 ? 'Condition met' : 'Condition not met'
    return `Any of these: ${number(held)} of ${number(of)} met`
  },
  not: (isMet: boolean) => (isMet ? 'Must not apply, and doesn’t' : 'Must not apply, but does'),
  has: (type: string, min: number, isTested: boolean) => {
    const held = min === 1 ? aThing(type) : `${number(min)} or more ${things('', type).trim()}`
    return isTested ? `Has ${held} with all of these` : `Has ${held}`
  },
  found: 'Found:',
  noValue: 'no value',
  /** The property is there, and of another type than the condition asks for. */
  otherType: (actual: string, wanted: string) =>
    `a value of type “${actual}”, where the condition asks for “${wanted}”`,
  masked: 'Hidden',
  count: (count: number, type: string) => found(count, type),
  fitting: (fit: number, count: number, type: string) =>
    count === 0
      ? found(0, type)
      : count === 1
        ? `${found(1, type)}, ${fit === 1 ? 'matching' : 'not matching'}`
        : `${found(count, type)}, ${fit === 0 ? 'none' : number(fit)} matching`,
  held: (held: number, of: number) => (held === of ? 'matches' : `${number(held)} of ${number(of)} met`),
  others: (count: number, type: string) => `Show all ${found(count, type)}`,
  /** Around the name of a segment, which is a link. */
  inSegment: 'In the segment',
  segmentGone: 'This segment was deleted, so nobody is in it.',
  asks: 'Filter:',
  check: {
    title: 'Check a user',
    label: 'User',
    member: (isMember: boolean) => (isMember ? 'is in this segment.' : 'is not in this segment.'),
    unknown: 'can’t be checked: this segment uses sensitive data that your role may not see.',
    gone: 'This user was deleted, or the id is wrong.',
    bare: 'This service can’t answer directly. On the user’s page you can check by searching the users of this segment.',
    open: 'Open the user’s segments',
  },
}
