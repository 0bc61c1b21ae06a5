import { counted, number } from '../format.ts'
import { listed } from '../listed.ts'
import { aThing, things } from './segments.ts'

const events = (count: number) => counted(count, { one: 'event', other: 'events' })

/** Properties of an entity, with its type where that is not the usual `person`. */
const inEntity = ({ type, labels }: { readonly type: string | undefined; readonly labels: string }) =>
  type === undefined || type === 'person' ? labels : `${labels} (${type})`

interface OfEntity {
  /** `undefined`: not known. */
  readonly type: string | undefined
  /** Labels; none where they are not known. */
  readonly properties: readonly string[]
}

const sensitive = ({ type, properties }: OfEntity) =>
  inEntity({ type, labels: properties.length === 0 ? 'sensitive values' : properties.join(', ') })

/** Texts of one user's page beyond the identity: tabs, the merge of two edits, activity, segments, the record. */
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
    inNone: 'In no segment',
    inSegments: (count: number) => `In ${counted(count, { one: 'segment', other: 'segments' })}`,
    timeline: 'Timeline',
    all: 'All activity',
  },
  failed: {
    activity: 'The activity could not be loaded',
    segments: 'The segments could not be loaded',
    record: 'The record could not be loaded',
  },
  merge: {
    title: 'Somebody else changed this user meanwhile',
    writer: (actor: string) => `The other change was made by ${actor},`,
    savedBoth: (names: readonly string[]) =>
      `Saved. Somebody else changed ${listed(names)} meanwhile; that is kept.`,
    nothingSent: 'What they saved was kept.',
  },
  segments: {
    in: 'In',
    notIn: 'Not in',
    unknown: 'Not known',
    unknownBody: 'These ask for sensitive values that you may not see, so it is not said who is in them.',
    inNone: 'In no segment.',
    none: {
      title: 'There are no segments',
      body: 'A segment is a named group of users, such as those with a car that is due.',
      action: 'Go to segments',
    },
    nameless: (id: string) => `Segment ${id}`,
    list: (name: string) => `Segments: ${name}`,
    bare: 'This service does not say which segments a user is in. It can be found out by going through the users of a segment.',
    check: 'Check',
    checkOf: (name: string) => `Check ${name}`,
    stop: 'Stop',
    stopOf: (name: string) => `Stop checking ${name}`,
    goOn: 'Go on',
    goOnOf: (name: string) => `Go on checking ${name}`,
    member: 'In this segment',
    notMember: 'Not in this segment',
    checked: (count: number, total: number | undefined) =>
      total === undefined
        ? `Looked at ${counted(count, { one: 'user', other: 'users' })}`
        : `Looked at ${number(count)} of ${counted(total, { one: 'user', other: 'users' })}`,
    failed: 'The check did not get further.',
    forbidden: 'It asks for something that your role may not see.',
    gone: 'This segment does not exist any more.',
  },
  record: {
    body: 'What the service holds of this user, as it answers. Sensitive values are withheld, and so is the invitation link.',
    user: 'User',
    entities: (count: number) => `Entities (${number(count)})`,
    copyUser: 'Copy the user as JSON',
    copyEntities: 'Copy the entities as JSON',
    readAt: 'Read',
    again: 'Read again',
    access: 'Subject access…',
    open: 'Record as JSON',
  },
}

/** Texts of a user's timeline. */
export const activityText = {
  title: 'What happened, newest first',
  empty: {
    title: 'Nothing has happened',
    body: 'Every change to this user or their entities is recorded here.',
  },
  kind: 'What to show',
  kinds: { all: 'All', change: 'Changes', read: 'Reads' },
  moreChanges: (count: number) => `and ${number(count)} more`,
  moreInOneGo: (count: number) => `${number(count)} more in one go`,
  older: 'Show older',
  olderFailed: 'Older events could not be read',
  loaded: (count: number) => `${events(count)}, back to the first`,
  loadedMore: (count: number) => `The newest ${events(count)}`,
  noChanges: 'This service records that something changed, but does not keep what changed.',
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
  because: (reason: string) => `because: “${reason}”`,
  event: 'Event',
  openEntity: 'Open entity',
  deletedEntity: (id: string) => `Entity ${id}, which has been deleted`,
  changesFailed: 'What changed could not be read',
  changesGone: 'The service no longer keeps what changed here.',
  scan: {
    explain:
      'This service cannot look for the events of one user. The log is searched from its newest event backwards.',
    searched: (count: number, total: number) => `Searched the newest ${number(count)} of ${events(total)}`,
    back: 'back to',
    searching: 'Searching…',
    found: (count: number) => `${number(count)} found`,
    complete: 'That is all: nothing older can be about this user.',
    nothing: 'Nothing about this user among the events that were searched.',
    older: 'Search older',
    stop: 'Stop',
    failedTitle: 'The search did not get further',
    failedBody: 'What was found stays. It goes on where it stopped.',
    goOn: 'Go on',
    progress: 'Part of the log that was searched',
  },
}

/** Texts of a user's fields, of editing and deleting them. */
export const userEditText = {
  fields: {
    name: 'Name',
    email: 'E-mail',
    ref: 'Ref',
    refHint: 'Your own reference, for example a customer number',
    since: (zone: string) => `Since (${zone})`,
    sinceHint: 'Left empty: now',
    emailInvalid: 'Write an e-mail address such as ana@example.org.',
    sinceInvalid: (example: string) => `Enter an existing date and time, such as ${example}.`,
  },
  user: {
    title: 'User',
    identity: 'Identity',
    entities: 'Entities',
    id: 'Id',
    edit: 'Edit',
    save: (changes: number) =>
      changes === 0 ? 'Save changes' : `Save ${counted(changes, { one: 'change', other: 'changes' })}`,
    saved: 'Saved',
    actions: 'More actions',
    copyInvitation: 'Copy invitation link',
    pin: 'Pin',
    unpin: 'Unpin',
    pinned: 'Pinned: first in “Find”, and on wide screens above the list of users.',
    unpinned: 'Not pinned any more.',
    invitationCopied: 'Invitation link copied. Whoever has it can sign up as this user.',
    invitationMissing: 'The service gives no invitation link for this user.',
    invitationFailed: 'The invitation link could not be copied.',
    copyEmail: 'Copy e-mail',
    copyRef: 'Copy ref',
    outdatedTitle: 'What is shown may be out of date',
    outdatedBody: 'The user could not be read again.',
    goneTitle: 'This user does not exist (any more)',
    goneBody: 'It was deleted, or the address is wrong.',
    toList: 'Go to all users',
    toDeleted: 'Go to deleted users',
  },
  remove: {
    failure: {
      lost: {
        title: 'It is not known whether the user was deleted',
        body: 'No answer came, so the user may be gone already. Deleting again does no harm.',
      },
      codes: {
        personal_reference:
          'The reference names the user, and would be kept after deletion. Use one without personal data, such as a ticket number.',
        reference_required: 'This service needs a reference for each deletion.',
      },
    },
    action: 'Delete user…',
    title: (name: string) => `Delete ${name}?`,
    body: 'The user, all their entities and every property are removed at once. Events keep the ids only. This cannot be undone.',
    word: 'delete',
    nameless: 'this user',
    submit: 'Delete user',
    done: (name: string | undefined, afterwards: string | undefined) => {
      const deleted = name === undefined ? 'The user was deleted' : `${name} was deleted`
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
      missing: 'Enter what this deletion refers to.',
      tooLong: (most: number) => `At most ${number(most)} characters.`,
      email: 'Leave out the e-mail address. The reference is kept after deletion.',
      invalid: 'Use letters, digits and punctuation only.',
    },
    waiting: (count: number) =>
      `${counted(count, { one: 'earlier deletion waits', other: 'earlier deletions wait' })} for that, the oldest from`,
  },
  failure: {
    title: 'Nothing was saved',
    lost: {
      title: 'It is not known whether this was saved',
      body: 'No answer came. What you typed is kept, and saving it again does no harm.',
    },
    missing: { body: 'This user does not exist any more.' },
    kept: 'What you typed is kept.',
  },
}

const found = (count: number, type: string) =>
  count === 0
    ? `no ${things('', type).trim()}`
    : count === 1
      ? things('1', type)
      : things(number(count), type)

const doing = (held: number, of: number) =>
  `${held === 0 ? 'none' : number(held)} of ${number(of)} ${held === 1 || held === 0 ? 'does' : 'do'}`

/** Why a user is in a segment, or is not. */
export const judgementText = {
  label: { in: 'Why', out: 'Why not' },
  labelOf: (isMember: boolean, name: string) => `${isMember ? 'Why' : 'Why not'}: ${name}`,
  failed: 'It could not be found out why',
  gone: 'The segment does not exist any more.',
  unknown: 'It asks for sensitive values that you may not see, so it is not said who is in it.',
  changed: (isMember: boolean) =>
    `This has changed since the list was read: the user is ${isMember ? 'in it now' : 'not in it any more'}.`,
  asOf: 'Looked at',
  holds: 'Holds:',
  fails: 'Does not hold:',
  all: (held: number, of: number) => {
    if (of === 0) return 'Everyone'
    if (held < of) return of === 1 ? 'This must hold' : `All of these must hold: ${doing(held, of)}`
    return of === 1 ? 'This holds' : of === 2 ? 'Both of these hold' : `All ${number(of)} of these hold`
  },
  any: (held: number, of: number) => {
    if (of === 0) return 'Nobody'
    if (of === 1) return held === 1 ? 'This holds' : 'This must hold'
    return held === 0
      ? `One of these must hold: ${doing(0, of)}`
      : `One of these is enough: ${doing(held, of)}`
  },
  not: (isMet: boolean) => `This must not hold, ${isMet ? 'and it does not' : 'but it does'}`,
  has: (type: string, min: number, isTested: boolean) =>
    `Has ${min === 1 ? aThing(type) : `at least ${things(number(min), type)}`}${isTested ? ' with all of these' : ''}`,
  found: 'Found:',
  noValue: 'no value',
  /** The property is there, and of another type than the condition asks for. */
  otherType: (actual: string, wanted: string) =>
    `a value of type “${actual}”, where the condition asks for “${wanted}”`,
  masked: 'Not shown',
  count: (count: number, type: string) => found(count, type),
  fitting: (fit: number, count: number, type: string) =>
    count === 0
      ? found(0, type)
      : count === 1
        ? `${found(1, type)}, which ${fit === 1 ? 'fits' : 'does not fit'}`
        : `${fit === 0 ? 'none' : number(fit)} of ${found(count, type)} ${fit < 2 ? 'fits' : 'fit'}`,
  held: (held: number, of: number) => (held === of ? 'fits' : `${number(held)} of ${number(of)} fit`),
  others: (count: number, type: string) => `Show all ${found(count, type)}`,
  /** Around the name of a segment, which is a link. */
  inSegment: 'Is in the segment',
  segmentGone: 'There is no such segment any more, so nobody is in it.',
  asks: 'It holds:',
  check: {
    title: 'Is a user in it?',
    label: 'User',
    member: (isMember: boolean) => (isMember ? 'is in this segment.' : 'is not in this segment.'),
    unknown: 'may or may not be in it: it asks for sensitive values that you may not see.',
    gone: 'This user does not exist.',
    bare: 'This service does not say it directly. On the user’s page it can be found out by going through the users of the segment.',
    open: 'Open the segments of this user',
  },
}
