import { counted, number } from '../format.ts'
import { listed } from '../listed.ts'

const events = (count: number) => counted(count, { one: 'event', other: 'events' })

const after = (subject: string, names: readonly string[]) =>
  names.length === 0 ? subject : `${subject}: ${listed(names)}`

/** Texts of one user's page beyond the identity: tabs, the merge of two edits, activity, segments, the record. */
export const user = {
  tabs: {
    label: 'About this user',
    entities: 'Entities',
    activity: 'Activity',
    segments: 'Segments',
    record: 'Record',
  },
  failed: {
    activity: 'The activity could not be loaded',
    segments: 'The segments could not be loaded',
    record: 'The record could not be loaded',
  },
  merge: {
    title: 'Somebody else changed this user meanwhile',
    body: 'Nothing of yours has been saved yet. Choose what each of these fields shall be:',
    writer: (actor: string) => `The other change was made by ${actor},`,
    mine: 'Yours',
    theirs: 'Theirs',
    empty: 'Empty',
    before: (value: string) => `Before: ${value}`,
    takenOver: (names: readonly string[]) =>
      `Only they changed ${listed(names)}: that stays as they saved it.`,
    alsoSent: (names: readonly string[]) => `Only you changed ${listed(names)}: that is saved too.`,
    save: 'Save',
    keepTheirs: 'Keep theirs',
    cancel: 'Back to editing',
    savedBoth: (names: readonly string[]) =>
      `Saved. Somebody else changed ${listed(names)} meanwhile; that is kept.`,
    nothingSent: 'What they saved was kept.',
  },
  activity: {
    title: 'What happened, newest first',
    empty: {
      title: 'Nothing has happened',
      body: 'Every change to this user or their entities is recorded here.',
    },
    older: 'Show older',
    olderFailed: 'Older events could not be read',
    loaded: (count: number) => `${events(count)}, back to the first`,
    loadedMore: (count: number) => `The newest ${events(count)}`,
    noChanges: 'This service records that something changed, but does not keep what changed.',
    by: (actor: string) => `by ${actor}`,
    byYou: 'by you',
    userChanged: (fields: readonly string[]) => after('User changed', fields),
    entityAdded: (type: string) => `Added ${type}`,
    entityRemoved: (type: string) => `Deleted ${type}`,
    entityChanged: (type: string, keys: readonly string[]) => after(`Data changed in ${type}`, keys),
    entityUnknown: 'Data changed in an entity',
    entityGone: 'Data changed in an entity that has been deleted since',
    read: (type: string | undefined, keys: string) =>
      `Sensitive values read${type === undefined ? '' : ` in ${type}`}${keys === '' ? '' : `: ${keys}`}`,
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
  },
}
