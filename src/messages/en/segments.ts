import type { Operator, UserField } from '#contract/index.ts'
import { counted, number, numberLocale } from '../format.ts'
import { listed } from '../listed.ts'

const shares = new Intl.NumberFormat(numberLocale, { style: 'percent', maximumSignificantDigits: 2 })
const vowels = /^[aeiou]/

/** "a car", "an address"; the codes of other people's entity types are words more often than not. */
export function aThing(type: string): string {
  return `${vowels.test(type) ? 'an' : 'a'} ${words(type)}`
}

/** "2 cars", "3 addresses", "2 people". */
export function things(count: string, type: string): string {
  if (count === '1') return `1 ${words(type)}`
  const thing = words(type)
  const plural = thing.endsWith('person')
    ? thing.replace(/person$/, 'people')
    : /(s|x|z|ch|sh)$/.test(thing)
      ? `${thing}es`
      : /[^aeiou]y$/.test(thing)
        ? `${thing.slice(0, -1)}ies`
        : `${thing}s`
  return `${count} ${plural}`
}

const words = (code: string) => code.replaceAll(/[_-]+/g, ' ')

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' })

/** The unit of a part of an ISO 8601 duration, as a count of it. */
const unitForms = {
  years: { one: 'year', other: 'years' },
  months: { one: 'month', other: 'months' },
  weeks: { one: 'week', other: 'weeks' },
  days: { one: 'day', other: 'days' },
  hours: { one: 'hour', other: 'hours' },
  minutes: { one: 'minute', other: 'minutes' },
  seconds: { one: 'second', other: 'seconds' },
} as const
export type DurationUnit = keyof typeof unitForms

const userFieldNames: Record<UserField, string> = {
  email: 'e-mail',
  name: 'name',
  ref: 'reference',
  since: 'since date',
  created: 'creation date',
  account: 'account',
}

/** Ends a sentence with a full stop, unless it ends with the ellipsis of an open value. */
const stopped = (sentence: string) => (sentence.endsWith('…') ? sentence : `${sentence}.`)

/** The parts of the sentence that says in plain English whom a filter matches. */
const sentence = {
  custom: 'Custom filter',
  /** A value that is still to be given. */
  open: '…',
  /** A value of a sensitive property, to those who may not read it. */
  hidden: 'a hidden value',
  everyone: 'Everyone.',
  nobody: 'Nobody.',
  users: (clause: string) => stopped(`Users ${clause}`),
  allExcept: (clause: string) => stopped(`Everyone except users ${clause}`),
  daysIn: (zone: string) => `Days are counted in ${zone}.`,
  and: (clauses: readonly string[]) => clauses.join(' and '),
  or: (clauses: readonly string[]) => clauses.join(' or '),
  group: (clause: string) => `(${clause})`,
  whoAnyone: 'who can be anyone',
  whoNobody: 'who are nobody',
  whoNot: (clause: string) => `who are not among those ${clause}`,
  inSegment: (name: string) => `who are in the segment ${name}`,
  notInSegment: (name: string) => `who are not in the segment ${name}`,
  field: (field: UserField, predicate: string) => `${userFieldNames[field]} ${predicate}`,
  whose: (test: string) => `whose ${test}`,
  /** A property of an entity of a type. */
  of: (type: string, test: string) => `${type}.${test}`,
  account: { yes: 'who have an account', no: 'who have no account' },
  has: (type: string, min: number | undefined) =>
    min === undefined || min === 1
      ? `who have ${aThing(type)}`
      : `who have at least ${things(number(min), type)}`,
  hasNot: (type: string, min: number | undefined) =>
    min === undefined || min === 1
      ? `who do not have ${aThing(type)}`
      : `who have fewer than ${things(number(min), type)}`,
  where: (has: string, tests: readonly string[]) => `${has} (${tests.join(' and ')})`,
  property: (key: string, predicate: string) => `${key} ${predicate}`,
  orMissing: (test: string) => `${test} or is missing`,
  marked: (test: string, isSensitive: boolean) => `${test}, ${isSensitive ? 'sensitive' : 'not sensitive'}`,
  text: (value: string) => `“${value}”`,
  oneOf: (values: readonly string[]) => alternatives.format(values),
  predicate: {
    exists: () => 'has a value',
    missing: () => 'is missing',
    eq: (value) => `is ${value}`,
    ne: (value) => `is not ${value}`,
    in: (value) => `is ${value}`,
    not_in: (value) => `is not ${value}`,
    contains: (value) => `contains ${value}`,
    not_contains: (value) => `does not contain ${value}`,
    starts_with: (value) => `starts with ${value}`,
    ends_with: (value) => `ends with ${value}`,
    lt: (value) => `is less than ${value}`,
    lte: (value) => `is at most ${value}`,
    gt: (value) => `is more than ${value}`,
    gte: (value) => `is at least ${value}`,
    between: (from, to) => `is from ${from} to ${to}`,
    on: (value) => `is on ${value}`,
    before: (value) => `is before ${value}`,
    after: (value) => `is after ${value}`,
    within_last: (span) => `is within the last ${span}`,
    within_next: (span) => `is within the next ${span}`,
    older_than: (span) => `is more than ${span} ago`,
    anniversary_within: (span) => `has its anniversary within the next ${span}`,
    granted: () => 'is granted',
    not_granted: () => 'is not granted',
    expired: () => 'has expired',
    expires_within: (span) => `expires within ${span}`,
  } satisfies Record<Operator, (value: string, to: string) => string> as Record<
    Operator,
    (value: string, to: string) => string
  >,
  /** Compares with a time of day. */
  at: (time: string) => `is ${time}`,
  ago: (span: string) => `${span} ago`,
  ahead: (span: string) => `${span} from now`,
  yes: 'yes',
  no: 'no',
  amount: (value: string, currency: string) => `${value} ${currency}`,
  relationship: (user: string, entity: string | undefined) =>
    entity === undefined ? `user ${user}` : `entity ${entity} of user ${user}`,
  preference: { GRANTED: 'granted', DENIED: 'denied', REVOKED: 'revoked' } as Readonly<
    Record<string, string>
  >,
  preferenceOf: (status: string, statusDate: string | undefined, expires: string | undefined) =>
    [status, statusDate && `on ${statusDate}`, expires && `until ${expires}`].filter(Boolean).join(' '),
  duration: (parts: readonly (readonly [count: number, unit: DurationUnit])[]) =>
    parts.map(([count, unit]) => counted(count, unitForms[unit])).join(' '),
}

const operatorNames: Record<Operator, string> = {
  eq: 'is',
  ne: 'is not',
  in: 'is one of',
  not_in: 'is none of',
  contains: 'contains',
  not_contains: 'does not contain',
  starts_with: 'starts with',
  ends_with: 'ends with',
  exists: 'has a value',
  missing: 'is missing',
  lt: 'is less than',
  lte: 'is at most',
  gt: 'is more than',
  gte: 'is at least',
  between: 'is between',
  on: 'is on',
  before: 'is before',
  after: 'is after',
  within_last: 'is within the last',
  within_next: 'is within the next',
  older_than: 'is longer ago than',
  anniversary_within: 'has its anniversary within',
  granted: 'is granted',
  not_granted: 'is not granted',
  expired: 'has expired',
  expires_within: 'expires within',
}

/** The plain and/or builder of a filter. */
const builder = {
  condition: (place: string) => (place === '' ? 'Condition' : `Condition ${place}`),
  group: (place: string) => (place === '' ? 'Group' : `Group ${place}`),
  match: { label: 'Matches', all: 'All of these', any: 'Any of these', not: 'None of this' },
  /** In a group without parts. */
  emptyGroup: {
    all: 'Everyone, until you add a condition.',
    any: 'Nobody, until you add a condition.',
    not: 'Add what must not hold.',
  },
  add: {
    named: (what: string, place: string) =>
      `Add ${what.toLowerCase()}${place === '' ? '' : ` to group ${place}`}`,
    user: 'User field',
    entity: 'Entity',
    segment: 'Segment',
    group: 'Group',
  },
  negate: 'Turn into “none of this”',
  wrap: 'Put into a group',
  unwrap: 'Dissolve the group',
  remove: 'Remove',
  move: {
    label: (name: string) => `Move ${name.toLowerCase()}`,
    hint: 'Drag to move, use the arrow keys, or press for a list',
    steps: { up: 'Up', down: 'Down', in: 'Into the next group', out: 'Out of its group' },
    to: (place: string) => (place === '' ? 'To the end of the filter' : `Into group ${place}`),
    /** `place`: its new number. */
    moved: (name: string, place: string) => `${name} is now ${place}.`,
    cannot: {
      up: 'It is the first one here.',
      down: 'It is the last one here.',
      in: 'There is no group beside it.',
      out: 'It is in no group.',
    },
  },
  userField: 'User field',
  operator: 'Comparison',
  fields: {
    email: 'E-mail',
    name: 'Name',
    ref: 'Reference',
    since: 'Since',
    created: 'Created',
    account: 'Account',
  } satisfies Record<UserField, string>,
  operators: operatorNames,
  /** "is" for a time of day, since "is on" would be wrong English. */
  timeIs: 'is',
  value: 'Value',
  nthValue: (index: number) => `Value ${index + 1}`,
  from: 'From',
  to: 'To',
  and: 'and',
  addValue: 'Add value',
  removeValue: (index: number) => `Remove value ${index + 1}`,
  form: {
    label: 'Kind of time',
    value: 'the date',
    moment: 'the moment',
    day: 'the day',
    ago: 'this long ago',
    ahead: 'this far ahead',
  },
  duration: {
    amount: 'How long',
    unit: 'Unit',
    iso: 'ISO 8601 duration',
    isoPlaceholder: 'e.g. P1Y6M',
    amountPlaceholder: 'e.g. 30',
    units: { D: 'days', W: 'weeks', M: 'months', Y: 'years', TH: 'hours', TM: 'minutes', '': 'ISO 8601' },
  },
  zone: (zone: string) => `Days in ${zone}`,
  entity: {
    has: 'Has at least',
    min: 'How many',
    type: 'Entity type',
    typePlaceholder: 'e.g. person, car',
    matching: 'with all of these:',
    key: 'Property key',
    keyPlaceholder: 'Property key',
    dataType: 'Data type',
    orMissing: 'also who has no value',
    mark: 'Sensitive',
    marks: { sensitive: 'sensitive', open: 'not sensitive', either: 'sensitive or not' },
    addTest: 'Add property test',
    removeTest: 'Remove property test',
    test: (place: string) => `Property test ${place}`,
  },
  segment: {
    is: 'Is in the segment',
    label: 'Segment',
    choose: 'Choose a segment',
    none: 'There are no other segments yet.',
  },
  /** Tests on sensitive keys, whose values are encrypted. */
  sealed: {
    note: 'Its values are encrypted: they are found by equality only.',
    denied: (reason: string) => `${reason} The service refuses tests on sensitive keys without it.`,
    operator: (usable: readonly string[]) =>
      `This key is sensitive, and found by equality only. Use ${alternatives.format(usable.map((each) => `“${each}”`))}.`,
    status: 'This key is sensitive, and found by the status alone. Leave the dates empty.',
    day: 'This key is sensitive, and found by a moment or by a day in UTC. Give the moment, or choose UTC as time zone.',
  },
  issue: {
    value: 'Give a value.',
    text: 'Give some text.',
    duration: 'Give a length of time.',
    key: 'Give the key of a property.',
    segment: 'Choose a segment.',
    group: 'Add a condition here, or remove the group.',
  },
}

/** Texts of the pages of segments. */
export const segmentText = {
  title: 'Segments',
  sentence,
  builder,
  unnamed: 'No name',
  newSegment: 'New segment',
  showUsers: 'Show users',
  showUsersOf: (name: string) => `Show users of ${name}`,
  columns: {
    name: 'Name',
    who: 'Who is in it',
    usedBy: 'Used by',
    updated: 'Changed',
    users: 'Users',
  },
  showCountedUsersOf: (name: string, count: number) =>
    `Show ${counted(count, { one: 'user', other: 'users' })} of ${name}`,
  share: (part: number) => `${shares.format(part)} of all users`,
  sizeOverTime: (day: string, from: number, to: number) => `${number(from)} on ${day}, ${number(to)} now`,
  andMore: (count: number) => `and ${number(count)} more`,
  find: {
    label: 'Find a segment',
    empty: 'Clear what is sought',
    none: 'No segment matches',
    noneBody: 'Names, descriptions and what the filters say were searched.',
    clear: 'Show all segments',
    found: (count: number) => counted(count, { one: 'segment', other: 'segments' }),
  },
  empty: {
    title: 'No segments yet',
    body: 'A segment is a named filter over users, for example everyone with a car who joined this year.',
  },
  detail: {
    who: 'Who is in it',
    definition: 'Definition',
    json: 'As JSON',
    copyJson: 'Copy JSON',
    noFilter: 'The service tells no filter of this segment.',
    customTree: 'This filter is of another grammar than this console knows; it is shown as JSON.',
    id: 'Id',
    created: 'Created',
    updated: 'Changed',
    sizes: 'Size over time',
    zone: 'Days begin in',
    others: 'Other fields',
    users: (count: number | undefined) =>
      count === undefined ? 'Show users' : `Show ${counted(count, { one: 'user', other: 'users' })}`,
    actions: 'More actions',
    delete: 'Delete…',
    edit: 'Edit',
    duplicate: 'Duplicate…',
    pin: 'Pin',
    unpin: 'Unpin',
    pinned: 'Pinned: its size stands on the home page.',
    unpinned: 'Not pinned any more.',
    export: 'Export users',
    setProperty: 'Set a property…',
    members: 'Users in it',
    membersTable: 'Users in this segment',
    counted: 'counted',
    first: (shown: number) => `The first ${number(shown)} are below.`,
    noMembers: 'Nobody is in it at the moment.',
    membersFailed: 'The users could not be loaded',
    memberColumns: { name: 'Name', email: 'E-mail', ref: 'Ref', since: 'Since' },
    noName: 'No name',
    usedBy: 'Used by',
    unused: 'No other segment',
    othersFailed: 'The other segments could not be loaded',
    unreadable: 'Filters that this console cannot read may use it too.',
    inSegment: 'is in the segment',
    not: 'Not',
    all: 'All of',
    any: 'Any of',
    everyone: 'Everyone',
    nobody: 'Nobody',
  },
  remove: {
    title: (name: string) => `Delete ${name}?`,
    body: 'The segment and its filter go for good. Users stay as they are.',
    action: 'Delete segment',
    usedBy: 'These segments use it; as long as they do, the service may refuse:',
    usedByUnknown: 'Whether other segments use it could not be loaded.',
    inUse: 'Other segments use this one',
    failed: 'The segment was not deleted',
    lost: {
      title: 'It is not known whether the segment was deleted',
      body: 'No answer came from the service. Look at the list before you try again.',
    },
    deleted: (name: string) => `${name} is deleted.`,
    word: 'delete',
  },
  create: {
    title: 'New segment',
    listGone: 'The conditions of the list did not come along',
    listGoneBody:
      'This page was loaded anew, which forgets them. The filter below is empty, and would match everybody. The list may still have them: save them from there.',
    toList: 'Back to the list',
    noSegments: 'The segments that there are could not be read: a condition cannot name one',
    name: 'Name',
    description: 'Description',
    zone: 'Time zone',
    zoneHint: 'Where days begin: for “within the last 30 days” and other whole days.',
    filter: 'Filter',
    views: { label: 'Write the filter', builder: 'Builder', json: 'JSON' },
    undo: 'Undo',
    redo: 'Redo',
    withKeys: (label: string, keys: string) => `${label} (${keys})`,
    noStep: (label: string) => `Nothing to ${label.toLowerCase()}`,
    undone: (left: number) => `Undone. ${counted(left, { one: 'step', other: 'steps' })} before it.`,
    redone: (left: number) => `Done again. ${counted(left, { one: 'step', other: 'steps' })} after it.`,
    line: (line: number) => `Line ${line}`,
    submit: 'Create segment',
    created: (name: string) => `${name} is created.`,
    sentence: 'In words',
    about: 'What this filter says',
    jsonLabel: 'Filter as JSON',
    notJson: (reason: string) => `This is not JSON: ${reason}`,
    staysJson: 'The builder cannot show this filter:',
    whole: 'Whole filter',
    failed: 'The segment was not created',
    kept: 'What you typed is still here.',
    lost: 'It is not known whether the segment was created',
    lostBody:
      'No answer came from the service. Look at the list of segments before you try again; what you typed is still here.',
    lostRecognised:
      'No answer came from the service. You may press “Create segment” once more: as long as nothing is changed here, the service recognises the request and does not make a second segment.',
  },
}

/** Texts of changing and duplicating a segment. */
export const segmentEditText = {
  title: (name: string) => `Edit ${name}`,
  copyOf: (name: string) => `Copy of ${name}`,
  submit: 'Save segment',
  saved: (name: string) => `${name} is saved.`,
  savedAnew: (name: string) => `${name} is saved, with a new id.`,
  /** `fields`: changed by somebody else meanwhile, and kept. */
  savedWith: (name: string, fields: readonly string[]) =>
    `${name} is saved. Kept from somebody else’s change: ${listed(fields)}.`,
  conflict: 'Somebody changed the same meanwhile',
  failed: 'The segment was not saved',
  lost: {
    title: 'It is not known whether the segment was saved',
    body: 'No answer came. What you typed is still here, and saving it again does no harm.',
  },
  missing: {
    title: 'Somebody deleted this segment meanwhile',
    body: '“Create segment” makes a new segment of it, with another id.',
  },
  noFilter: 'The service tells no filter of this segment, so that there is nothing to start from.',
  fields: { name: 'name', description: 'description', filter: 'filter', tz: 'time zone' },
}

/** Preview of a filter's matches before it is saved. */
export const segmentPreviewText = {
  title: 'Who is in it now',
  users: (count: number, atLeast: boolean) =>
    `${atLeast ? 'At least ' : ''}${counted(count, { one: 'user', other: 'users' })}`,
  of: (all: number) => `of ${number(all)}`,
  took: (seconds: string) => `in ${seconds} s`,
  counting: 'Counting…',
  counted: 'Counted',
  stopped: 'Counting them all takes longer.',
  unfinished: 'Finish the filter to see who is in it.',
  before: 'Showing the result before your last change.',
  nobody: 'Nobody is in it.',
  some: (shown: number) => `${number(shown)} of them`,
  all: 'These are all',
  failed: 'Who is in it could not be counted',
  failedBody: 'You can save the segment all the same.',
  bare: 'This service can only count a segment once it is saved.',
  segmentOnly: 'Sensitive values are revealed only with a reason here. Save the segment to see who is in it.',
  noName: 'No name',
  opens: (name: string) => `${name}, opens in a new tab`,
}

const quoted = (names: readonly string[]) => listed(names.map((name) => `“${name}”`))
const uses = (names: readonly string[]) => `${quoted(names)} ${names.length === 1 ? 'uses' : 'use'}`

/** Warns of an edit on a service that cannot change segments, so that the segment is recreated. */
export const segmentRecreationText = {
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
