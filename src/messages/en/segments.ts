import type { Operator, UserField } from '#contract/index.ts'
import { counted, number, numberLocale } from '../format.ts'
import { listed } from '../listed.ts'

const shares = new Intl.NumberFormat(numberLocale, { style: 'percent', maximumSignificantDigits: 2 })

/** Common entity types. The code of any other type says neither its article nor its plural. */
const entityNouns: Readonly<Record<string, { readonly one: string; readonly other: string }>> = {
  address: { one: 'an address', other: 'addresses' },
  bike: { one: 'a bike', other: 'bikes' },
  boat: { one: 'a boat', other: 'boats' },
  booking: { one: 'a booking', other: 'bookings' },
  car: { one: 'a car', other: 'cars' },
  card: { one: 'a card', other: 'cards' },
  child: { one: 'a child', other: 'children' },
  company: { one: 'a company', other: 'companies' },
  contract: { one: 'a contract', other: 'contracts' },
  device: { one: 'a device', other: 'devices' },
  house: { one: 'a house', other: 'houses' },
  invoice: { one: 'an invoice', other: 'invoices' },
  order: { one: 'an order', other: 'orders' },
  person: { one: 'a person', other: 'people' },
  pet: { one: 'a pet', other: 'pets' },
  subscription: { one: 'a subscription', other: 'subscriptions' },
  ticket: { one: 'a ticket', other: 'tickets' },
  van: { one: 'a van', other: 'vans' },
}

const typeName = (code: string) => code.replaceAll(/[_-]+/g, ' ')

/** "a car", "an address", "an entity of type race horse". */
export function aThing(type: string): string {
  return entityNouns[type]?.one ?? `an entity of type ${typeName(type)}`
}

/** "2 cars", "3 addresses", "2 entities of type race horse". */
export function things(count: string, type: string): string {
  if (count === '1') return entityNouns[type] ? `1 ${typeName(type)}` : `1 entity of type ${typeName(type)}`
  return `${count} ${entityNouns[type]?.other ?? `entities of type ${typeName(type)}`}`
}

/** A label within a sentence: "first registration" for "First registration", but "IBAN" and "VAT number". */
const withinSentence = (label: string) =>
  /^\p{Lu}(?!\p{Lu})/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label

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
type DurationParts = readonly (readonly [count: number, unit: DurationUnit])[]

const durationOfParts = (parts: DurationParts) =>
  parts.map(([count, unit]) => counted(count, unitForms[unit])).join(' ')

const userFieldNames: Record<UserField, string> = {
  email: 'e-mail',
  name: 'name',
  ref: 'reference',
  since: 'since date',
  created: 'creation date',
  account: 'account',
}

/** Ends a sentence with a full stop, unless it ends with the ellipsis of an open value. */
const endSentence = (sentence: string) => (sentence.endsWith('…') ? sentence : `${sentence}.`)

interface Operands {
  readonly value: string
  /** End of a range. */
  readonly to: string
  /** Length of time after "the last" and "the next": "30 days", "month". */
  readonly span: string
}
type Predicates = Record<Operator, (operands: Operands) => string>

const predicates: Predicates = {
  exists: () => 'has a value',
  missing: () => 'has no value',
  eq: ({ value }) => `is ${value}`,
  ne: ({ value }) => `is not ${value}`,
  in: ({ value }) => `is ${value}`,
  not_in: ({ value }) => `is not ${value}`,
  contains: ({ value }) => `contains ${value}`,
  not_contains: ({ value }) => `does not contain ${value}`,
  starts_with: ({ value }) => `starts with ${value}`,
  ends_with: ({ value }) => `ends with ${value}`,
  lt: ({ value }) => `is less than ${value}`,
  lte: ({ value }) => `is at most ${value}`,
  gt: ({ value }) => `is more than ${value}`,
  gte: ({ value }) => `is at least ${value}`,
  between: ({ value, to }) => `is from ${value} to ${to}`,
  on: ({ value }) => `is on ${value}`,
  before: ({ value }) => `is before ${value}`,
  after: ({ value }) => `is after ${value}`,
  within_last: ({ span }) => `is within the last ${span}`,
  within_next: ({ span }) => `is within the next ${span}`,
  older_than: ({ value }) => `is more than ${value} ago`,
  anniversary_within: ({ span }) => `has its anniversary in the next ${span}`,
  granted: () => 'is granted',
  not_granted: () => 'is not granted',
  expired: () => 'has expired',
  expires_within: ({ span }) => `expires in the next ${span}`,
}

/** Opposites of the predicates, for conditions that a filter negates. */
const opposites: Predicates = {
  exists: predicates.missing,
  missing: predicates.exists,
  eq: predicates.ne,
  ne: predicates.eq,
  in: predicates.not_in,
  not_in: predicates.in,
  contains: predicates.not_contains,
  not_contains: predicates.contains,
  starts_with: ({ value }) => `does not start with ${value}`,
  ends_with: ({ value }) => `does not end with ${value}`,
  lt: ({ value }) => `is not less than ${value}`,
  lte: ({ value }) => `is not at most ${value}`,
  gt: ({ value }) => `is not more than ${value}`,
  gte: ({ value }) => `is not at least ${value}`,
  between: ({ value, to }) => `is not from ${value} to ${to}`,
  on: ({ value }) => `is not on ${value}`,
  before: ({ value }) => `is not before ${value}`,
  after: ({ value }) => `is not after ${value}`,
  within_last: ({ span }) => `is not within the last ${span}`,
  within_next: ({ span }) => `is not within the next ${span}`,
  older_than: ({ value }) => `is not more than ${value} ago`,
  anniversary_within: ({ span }) => `does not have its anniversary in the next ${span}`,
  granted: predicates.not_granted,
  not_granted: predicates.granted,
  expired: () => 'has not expired',
  expires_within: ({ span }) => `does not expire in the next ${span}`,
}

/** The parts of the sentence that says in plain English whom a filter matches. */
export const filterSentenceText = {
  custom: 'Custom filter',
  /** A value that is still to be given. */
  open: '…',
  /** A value of a sensitive property, to those who may not read it. */
  hidden: 'a hidden value',
  everyone: 'All users.',
  nobody: 'No users.',
  users: (clause: string) => endSentence(`Users ${clause}`),
  allExcept: (clause: string) => endSentence(`All users except those ${clause}`),
  daysIn: (zone: string) => `Days are counted in ${zone}.`,
  and: (clauses: readonly string[]) => clauses.join(' and '),
  or: (clauses: readonly string[]) => clauses.join(' or '),
  group: (clause: string) => `(${clause})`,
  whoAnyone: 'who match anything',
  whoNobody: 'who match nothing',
  inSegment: (name: string) => `who are in the segment ${name}`,
  notInSegment: (name: string) => `who aren’t in the segment ${name}`,
  /** A test of a field, apart from its sentence. */
  field: ({ field, predicate }: { readonly field: UserField; readonly predicate: string }) =>
    `${userFieldNames[field]} ${predicate}`,
  whoseField: ({ field, predicate }: { readonly field: UserField; readonly predicate: string }) =>
    `whose ${userFieldNames[field]} ${predicate}`,
  /** A negated test, which a user without a value passes too. */
  whoseFieldIfAny: ({ field, predicate }: { readonly field: UserField; readonly predicate: string }) =>
    `whose ${userFieldNames[field]}, if any, ${predicate}`,
  withField: {
    email: 'who have an e-mail',
    name: 'who have a name',
    ref: 'who have a reference',
    since: 'who have a “since” date',
    created: 'who have a creation date',
  } satisfies Record<Exclude<UserField, 'account'>, string>,
  withoutField: {
    email: 'who have no e-mail',
    name: 'who have no name',
    ref: 'who have no ref',
    since: 'who have no “since” date',
    created: 'who have no creation date',
  } satisfies Record<Exclude<UserField, 'account'>, string>,
  account: { yes: 'who have an account', no: 'who have no account' },
  /** A test of an entity of a type, apart from its sentence: "car colour is red". */
  ofType: ({
    type,
    label,
    predicate,
  }: {
    readonly type: string
    readonly label: string
    readonly predicate: string
  }) => `${typeName(type)} ${withinSentence(label)} ${predicate}`,
  /** A test that one entity of the type passes. */
  whoseEntity: ({
    type,
    label,
    predicate,
  }: {
    readonly type: string
    readonly label: string
    readonly predicate: string
  }) => `whose ${typeName(type)}’s ${withinSentence(label)} ${predicate}`,
  /** A test of a property that is the user's own. */
  whoseProperty: ({ label, predicate }: { readonly label: string; readonly predicate: string }) =>
    `whose ${withinSentence(label)} ${predicate}`,
  has: (type: string, min: number | undefined) =>
    min === undefined || min === 1
      ? `who have ${aThing(type)}`
      : `who have ${number(min)} or more ${things('', type).trim()}`,
  hasNot: (type: string, min: number | undefined) =>
    min === undefined || min === 1
      ? `who don’t have ${aThing(type)}`
      : `who have fewer than ${things(number(min), type)}`,
  where: ({ has, tests }: { readonly has: string; readonly tests: readonly string[] }) =>
    `${has} (${tests.join(' and ')})`,
  /** A test on a line of its own: "First registration is on Mar 1, 2024". */
  property: ({ label, predicate }: { readonly label: string; readonly predicate: string }) =>
    `${label} ${predicate}`,
  propertyWithin: ({ label, predicate }: { readonly label: string; readonly predicate: string }) =>
    `${withinSentence(label)} ${predicate}`,
  orMissing: (test: string) => `${test} or has no value`,
  sensitive: (test: string) => `${test}, sensitive`,
  notSensitive: (test: string) => `${test}, not sensitive`,
  text: (value: string) => `“${value}”`,
  oneOf: (values: readonly string[]) => alternatives.format(values),
  predicates,
  opposites,
  /** Compares with a time of day. */
  at: (time: string) => `is ${time}`,
  ago: (span: string) => `${span} ago`,
  ahead: (span: string) => `${span} from now`,
  yes: 'yes',
  no: 'no',
  amount: ({ value, currency }: { readonly value: string; readonly currency: string }) =>
    `${value} ${currency}`,
  relationship: ({ user, entity }: { readonly user: string; readonly entity: string | undefined }) =>
    entity === undefined ? `user ${user}` : `entity ${entity} of user ${user}`,
  preference: { GRANTED: 'granted', DENIED: 'denied', REVOKED: 'revoked' } as Readonly<
    Record<string, string>
  >,
  preferenceOf: ({
    status,
    since,
    until,
  }: {
    readonly status: string
    readonly since: string | undefined
    readonly until: string | undefined
  }) => [status, since && `on ${since}`, until && `until ${until}`].filter(Boolean).join(' '),
  duration: durationOfParts,
  /** After "the last" and "the next", where a single month needs no number. */
  span: (parts: DurationParts) => {
    const [[count, unit] = [0, 'days'] as const] = parts
    return parts.length === 1 && count === 1 ? unitForms[unit].one : durationOfParts(parts)
  },
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
  missing: 'has no value',
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
  anniversary_within: 'has its anniversary in the next',
  granted: 'is granted',
  not_granted: 'is not granted',
  expired: 'has expired',
  expires_within: 'expires in the next',
}

const addTo = (group: string) => (group === '' ? '' : ` to group ${group}`)

/** The plain and/or builder of a filter. A number is the place of a part: "2.1", empty for the whole filter. */
export const filterBuilderText = {
  condition: (place: string) => (place === '' ? 'Condition' : `Condition ${place}`),
  group: (place: string) => (place === '' ? 'Group' : `Group ${place}`),
  match: { label: 'Matches', all: 'All of these', any: 'Any of these', not: 'None of this' },
  /** In a group without parts. */
  emptyGroup: {
    all: 'Matches all users until you add a condition.',
    any: 'Matches no users until you add a condition.',
    not: 'Add a condition to exclude users.',
  },
  add: {
    user: { word: 'User field', label: (group: string) => `Add user field${addTo(group)}` },
    entity: { word: 'Entity', label: (group: string) => `Add entity${addTo(group)}` },
    segment: { word: 'Segment', label: (group: string) => `Add segment${addTo(group)}` },
    group: { word: 'Group', label: (group: string) => `Add group${addTo(group)}` },
  },
  negate: 'Exclude',
  negateHint: 'Match only users who don’t meet this',
  wrap: 'Group',
  wrapHint: 'Put this into a group',
  unwrap: 'Ungroup',
  unwrapHint: 'Take the conditions out of this group',
  remove: 'Remove',
  move: {
    condition: (place: string) => `Move condition ${place}`,
    group: (place: string) => `Move group ${place}`,
    hint: 'Drag, use the arrow keys, or click for a list of places',
    steps: { up: 'Up', down: 'Down', in: 'Into the next group', out: 'Out of its group' },
    to: (place: string) => (place === '' ? 'To the end of the filter' : `Into group ${place}`),
    /** `place`: its new number. */
    moved: ({ name, place }: { readonly name: string; readonly place: string }) => `${name} is now ${place}.`,
    cannot: {
      up: 'Already the first one here.',
      down: 'Already the last one here.',
      in: 'No group next to this one.',
      out: 'Not in a group.',
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
    label: (operand: string) => `${operand}: kind of time`,
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
  /** In the order of the line: has [1] or more [car] where all of these are true. */
  entity: {
    has: 'Has',
    min: 'How many',
    orMore: 'or more',
    type: 'Entity type',
    typePlaceholder: 'e.g. person, car',
    matching: 'where all of these are true:',
    key: 'Property',
    keyPlaceholder: 'Property',
    dataType: 'Data type',
    orMissing: 'or has no value',
    mark: 'Sensitive',
    marks: { sensitive: 'sensitive', open: 'not sensitive', either: 'sensitive or not' },
    addFirst: 'Add a property',
    addTest: 'Add another property',
    removeTest: 'Remove property',
    test: (place: string) => `Property ${place}`,
  },
  segment: {
    is: 'Is in the segment',
    label: 'Segment',
    choose: 'Choose a segment',
    none: 'No other segments yet',
  },
  /** Tests of sensitive properties, whose values are encrypted. */
  sealed: {
    note: 'Values are encrypted, so only exact matches are found.',
    denied: (reason: string) => `${reason} Filtering by a sensitive property needs that permission.`,
    operator: (usable: readonly string[]) =>
      `This property is sensitive, so only exact matches are found. Use ${alternatives.format(usable.map((each) => `“${each}”`))}.`,
    status: 'This property is sensitive, so only its status can be matched. Leave the dates empty.',
    day: 'This property is sensitive, so only an exact moment or a day in UTC is found. Enter the moment, or set the time zone to UTC.',
  },
  issue: {
    value: 'Enter a value.',
    text: 'Enter text.',
    duration: 'Enter how long.',
    key: 'Choose a property.',
    segment: 'Choose a segment.',
    group: 'Add a condition, or remove the group.',
  },
}

/** Texts of the list of segments. */
export const segmentText = {
  title: 'Segments',
  unnamed: 'No name',
  newSegment: 'New segment',
  showUsers: 'Show users',
  showUsersOf: (name: string) => `Show users of ${name}`,
  columns: {
    name: 'Name',
    who: 'Who matches',
    usedBy: 'Used by',
    updated: 'Changed',
    users: 'Users',
  },
  showCountedUsersOf: ({ name, count }: { readonly name: string; readonly count: number }) =>
    `Show ${counted(count, { one: 'user', other: 'users' })} of ${name}`,
  share: (part: number) => `${shares.format(part)} of all users`,
  sizeOverTime: ({ day, from, to }: { readonly day: string; readonly from: number; readonly to: number }) =>
    `${number(from)} on ${day}, ${number(to)} now`,
  andMore: (count: number) => `and ${number(count)} more`,
  find: {
    label: 'Find a segment',
    empty: 'Clear search',
    none: 'No segment matches',
    noneBody: 'We search names, descriptions and filters.',
    clear: 'Show all segments',
    found: (count: number) => counted(count, { one: 'segment', other: 'segments' }),
  },
  empty: {
    title: 'No segments yet',
    body: 'A segment is a saved filter, such as users with a car who joined this year.',
  },
  remove: {
    title: (name: string) => `Delete ${name}?`,
    body: 'This deletes the segment and its filter for good. Its users stay.',
    action: 'Delete segment',
    usedBy: 'These segments use it. Remove it from them first, or the service may refuse:',
    usedByUnknown: 'Couldn’t check whether other segments use it.',
    inUse: 'Other segments use this one',
    failed: 'The segment was not deleted',
    lost: {
      title: 'The segment’s deletion isn’t confirmed',
      body: 'No answer came. Check the list before you try again.',
    },
    deleted: (name: string) => `${name} is deleted.`,
    word: 'delete',
  },
}

/** Texts of a segment's own page. */
export const segmentDetailText = {
  who: 'Who matches',
  definition: 'Definition',
  json: 'As JSON',
  copyJson: 'Copy JSON',
  noFilter: 'This service doesn’t share this segment’s filter.',
  customTree: 'The console can’t read this filter. The JSON below shows it.',
  id: 'Id',
  created: 'Created',
  updated: 'Changed',
  sizes: 'Size over time',
  zone: 'Time zone',
  users: (count: number | undefined) =>
    count === undefined ? 'Show users' : `Show ${counted(count, { one: 'user', other: 'users' })}`,
  actions: 'More actions',
  delete: 'Delete…',
  edit: 'Edit',
  duplicate: 'Duplicate…',
  pin: 'Pin',
  unpin: 'Unpin',
  pinned: 'Pinned. The home page shows its size.',
  unpinned: 'Unpinned',
  export: 'Export users',
  setProperty: 'Bulk change…',
  members: 'Users',
  membersTable: 'Users in this segment',
  counted: 'Counted',
  first: (shown: number) => `The first ${number(shown)} are below.`,
  noMembers: 'No users match right now.',
  membersFailed: 'Couldn’t load the users',
  memberColumns: { name: 'Name', email: 'E-mail', ref: 'Ref', since: 'Since' },
  noName: 'No name',
  usedBy: 'Used by',
  unused: 'No other segment',
  othersFailed: 'Couldn’t load the other segments',
  unreadable: 'Custom filters may use it too.',
  not: 'Not',
  all: 'All of',
  any: 'Any of',
  everyone: 'All users',
  nobody: 'No users',
}

/** Texts of the form in which a segment is created and edited. */
export const segmentFormText = {
  title: 'New segment',
  listGone: 'The conditions of the list are gone',
  listGoneBody:
    'Reloading this page dropped them, so the filter below is empty and matches all users. If the list still has them, save them from there.',
  toList: 'Back to the list',
  noSegments: 'Couldn’t load the segments, so a condition can’t use one',
  name: 'Name',
  description: 'Description',
  zone: 'Time zone',
  zoneHint: 'For “today”, “last 30 days” and other whole days.',
  filter: 'Filter',
  views: { label: 'Write the filter', builder: 'Builder', json: 'JSON' },
  undo: 'Undo',
  redo: 'Redo',
  withKeys: ({ label, keys }: { readonly label: string; readonly keys: string }) => `${label} (${keys})`,
  noUndo: 'Nothing to undo',
  noRedo: 'Nothing to redo',
  undone: (left: number) => `Undone. ${counted(left, { one: 'step', other: 'steps' })} left to undo.`,
  redone: (left: number) => `Redone. ${counted(left, { one: 'step', other: 'steps' })} left to redo.`,
  line: (line: number) => `Line ${line}`,
  submit: 'Create segment',
  created: (name: string) => `${name} is created.`,
  sentence: 'In words',
  about: 'About this filter',
  jsonLabel: 'Filter as JSON',
  notJson: (reason: string) => `This is not JSON: ${reason}`,
  staysJson: 'The builder can’t show this filter:',
  whole: 'Whole filter',
  failed: 'The segment was not created',
  kept: 'What you typed is still here.',
  lost: 'The segment’s creation isn’t confirmed',
  lostBody:
    'The service didn’t answer. Check the list of segments before you try again. What you typed is still here.',
  lostRecognised:
    'The service didn’t answer. Press “Create segment” again without changing anything: you won’t get a second segment.',
}

/** Texts of changing and duplicating a segment. */
export const segmentEditText = {
  title: (name: string) => `Edit ${name}`,
  copyOf: (name: string) => `Copy of ${name}`,
  submit: 'Save segment',
  saved: (name: string) => `${name} is saved.`,
  savedAnew: (name: string) => `${name} is saved, with a new id.`,
  /** `fields`: changed by a colleague in between, and kept. */
  savedWith: ({ name, fields }: { readonly name: string; readonly fields: readonly string[] }) =>
    `${name} is saved. A colleague’s change is kept: ${listed(fields)}.`,
  conflict: 'A colleague changed this too',
  failed: 'The segment was not saved',
  lost: {
    title: 'Your save isn’t confirmed',
    body: 'The service didn’t answer. What you typed is still here, and you can safely save again.',
  },
  missing: {
    title: 'A colleague deleted this segment',
    body: '“Create segment” creates it again, with a new id.',
  },
  noFilter: 'This service doesn’t share this segment’s filter, so you can’t edit or duplicate it.',
  fields: { name: 'name', description: 'description', filter: 'filter', tz: 'time zone' },
}

/** Preview of a filter's matches before it is saved. */
export const segmentPreviewText = {
  title: 'Who matches now',
  users: ({ count, atLeast }: { readonly count: number; readonly atLeast: boolean }) =>
    atLeast
      ? `At least ${counted(count, { one: 'user', other: 'users' })}`
      : counted(count, { one: 'user', other: 'users' }),
  of: (all: number) => `of ${number(all)}`,
  took: (seconds: string) => `in ${seconds} s`,
  counted: 'Counted',
  stopped: 'A full count takes longer.',
  /** With a result on the screen that the filter no longer has, and without. */
  counting: { first: 'Counting…', again: 'Counting… Showing the previous result.' },
  unfinished: {
    first: 'Finish the filter to see who matches.',
    again: 'Finish the filter to update this list. Showing the previous result.',
  },
  nobody: 'No users match.',
  some: (shown: number) => `${number(shown)} of them`,
  all: 'All of them',
  failed: 'Couldn’t count the matching users',
  failedBody: 'You can still save the segment.',
  bare: 'This service counts a segment only after you save it.',
  segmentOnly:
    'This service reveals sensitive values only for a reason. Save the segment to see who matches.',
  noName: 'No name',
  opens: (name: string) => `${name}, opens in a new tab`,
}

const quoted = (names: readonly string[]) => listed(names.map((name) => `“${name}”`))

/** Warns of an edit on a service that cannot change segments, so that the segment is recreated. */
export const segmentRecreationText = {
  title: 'The id of this segment will change',
  body: 'This service can’t change a segment. Saving creates a new one, checks it, and then deletes this one. Give the new id to everything that uses the old one.',
  usedBy: (names: readonly string[]) =>
    `Used by ${quoted(names)}, which won’t follow your change. So this segment stays, beside the new one.`,
  others: (names: readonly string[]) =>
    `The new segment loses what the service keeps with this one: ${listed(names)}.`,
  bothTitle: 'Your change is saved as a new segment, and the old one is still there',
  used: (names: readonly string[]) =>
    `The old one is still used by ${quoted(names)}. Use the new one there, then delete the old one.`,
  differs: 'The new one isn’t stored as you wrote it. Compare the two before you delete either.',
  failed: 'The old one could not be deleted.',
  unread: 'The new one could not be checked, so the old one was not deleted.',
  open: 'Open the new segment',
  old: 'Open the old segment',
  retry: 'Delete the old segment',
}
