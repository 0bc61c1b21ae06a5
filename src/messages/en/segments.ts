import type { Operator, UserField } from '#contract/index.ts'
import type { FilterSentenceText } from '../language/filter-sentence.ts'
import { defineMessages } from '../language/message.ts'

/** The sentence that says in plain English whom a filter matches. Its type says which parts each message may use. */
export const filterSentenceText: FilterSentenceText = defineMessages({
  custom: 'Custom filter',
  /** Stands in for a value that has not been entered yet. */
  open: '…',
  /** Stands in for a sensitive value that the reader may not see. */
  hidden: 'a hidden value',
  /** In place of "the last 30 days" when the duration is hidden. */
  hiddenSpan: 'a hidden period',
  everyone: 'All users.',
  nobody: 'No users.',
  users: 'Users {clause}{end, select, open {} other {.}}',
  allExcept: 'All users except those {clause}{end, select, open {} other {.}}',
  daysIn: 'Days in {zone}.',
  withDays: '{sentence} Days in {zone}.',
  and: '{first} and {rest}',
  or: '{first} or {rest}',
  oneOf: '{place, select, pair {{first} or {rest}} last {{first}, or {rest}} other {{first}, {rest}}}',
  group: '({clause})',
  whoAnyone: 'who match anything',
  whoNobody: 'who match nothing',
  inSegment: 'who are in the segment {segment}',
  notInSegment: 'who aren’t in the segment {segment}',
  fields: {
    email: 'e-mail',
    name: 'name',
    ref: 'ref',
    since: '“since” date',
    created: 'creation date',
    account: 'account',
  },
  /** A test of a field on a line of its own. */
  field: '{field} {predicate}',
  whoseField: 'whose {field} {predicate}',
  /** A negated test, which a user without a value passes too. */
  whoseFieldIfAny: 'whose {field}, if any, {predicate}',
  withField: {
    email: 'who have an e-mail',
    name: 'who have a name',
    ref: 'who have a ref',
    since: 'who have a “since” date',
    created: 'who have a creation date',
  },
  withoutField: {
    email: 'who have no e-mail',
    name: 'who have no name',
    ref: 'who have no ref',
    since: 'who have no “since” date',
    created: 'who have no creation date',
  },
  account: { yes: 'who have an account', no: 'who have no account' },
  /** Common entity types, by their code. */
  nouns: {
    address:
      '{form, select, name {address} counted {{count, plural, one {address} other {addresses}}} other {an address}}',
    bike: '{form, select, name {bike} counted {{count, plural, one {bike} other {bikes}}} other {a bike}}',
    boat: '{form, select, name {boat} counted {{count, plural, one {boat} other {boats}}} other {a boat}}',
    booking:
      '{form, select, name {booking} counted {{count, plural, one {booking} other {bookings}}} other {a booking}}',
    car: '{form, select, name {car} counted {{count, plural, one {car} other {cars}}} other {a car}}',
    card: '{form, select, name {card} counted {{count, plural, one {card} other {cards}}} other {a card}}',
    child:
      '{form, select, name {child} counted {{count, plural, one {child} other {children}}} other {a child}}',
    company:
      '{form, select, name {company} counted {{count, plural, one {company} other {companies}}} other {a company}}',
    contract:
      '{form, select, name {contract} counted {{count, plural, one {contract} other {contracts}}} other {a contract}}',
    device:
      '{form, select, name {device} counted {{count, plural, one {device} other {devices}}} other {a device}}',
    house:
      '{form, select, name {house} counted {{count, plural, one {house} other {houses}}} other {a house}}',
    invoice:
      '{form, select, name {invoice} counted {{count, plural, one {invoice} other {invoices}}} other {an invoice}}',
    order:
      '{form, select, name {order} counted {{count, plural, one {order} other {orders}}} other {an order}}',
    person:
      '{form, select, name {person} counted {{count, plural, one {person} other {people}}} other {a person}}',
    pet: '{form, select, name {pet} counted {{count, plural, one {pet} other {pets}}} other {a pet}}',
    subscription:
      '{form, select, name {subscription} counted {{count, plural, one {subscription} other {subscriptions}}} other {a subscription}}',
    ticket:
      '{form, select, name {ticket} counted {{count, plural, one {ticket} other {tickets}}} other {a ticket}}',
    van: '{form, select, name {van} counted {{count, plural, one {van} other {vans}}} other {a van}}',
  },
  /** Any other type, whose code says neither its article nor its plural. */
  otherNoun:
    '{form, select, name {{type}} counted {{count, plural, one {entity of type {type}} other {entities of type {type}}}} other {an entity of type {type}}}',
  /** A test of an entity's property on a line of its own: "car colour is red". */
  ofType: '{type} {smallLabel} {predicate}',
  /** A test that one entity of the type passes. */
  whoseEntity: 'whose {type}’s {smallLabel} {predicate}',
  /** A test of a property of the user's `person` entity. */
  whoseProperty: 'whose {smallLabel} {predicate}',
  has: 'who have {thing}',
  hasNot: 'who don’t have {thing}',
  hasAtLeast: 'who have {min, number} or more {things}',
  hasFewer: 'who have fewer than {min, number} {things}',
  where: '{has} ({tests})',
  /** Conditions on lines of their own, whose subject is each user. */
  alone: {
    inSegment: 'in the segment {segment}',
    account: { yes: 'has an account', no: 'has no account' },
    has: 'has {thing}',
    hasAtLeast: 'has {min, number} or more {things}',
    /** Before a list of tests. */
    where: '{has} where…',
  },
  /** A test on a line of its own: "First registration is on Mar 1, 2024". */
  property: '{label} {predicate}',
  /** A test in the brackets of `where`. */
  propertyWithin: '{smallLabel} {predicate}',
  orMissing: '{test} or has no value',
  sensitive: '{test} (sensitive)',
  notSensitive: '{test} (not sensitive)',
  predicates: {
    exists: 'has a value',
    missing: 'has no value',
    eq: 'is {value}',
    ne: 'is not {value}',
    in: 'is {value}',
    not_in: 'is not {value}',
    contains: 'contains {value}',
    not_contains: 'does not contain {value}',
    starts_with: 'starts with {value}',
    ends_with: 'ends with {value}',
    lt: 'is less than {value}',
    lte: 'is at most {value}',
    gt: 'is more than {value}',
    gte: 'is at least {value}',
    between: 'is between {value} and {to}',
    on: '{kind, select, day {is on {value}} moment {is on {value}} other {is {value}}}',
    before:
      '{kind, select, ago {is earlier than {value}} ahead {is earlier than {value}} other {is before {value}}}',
    after:
      '{kind, select, ago {is later than {value}} ahead {is later than {value}} other {is after {value}}}',
    within_last: 'is within {span}',
    within_next: 'is within {span}',
    older_than: 'is more than {value} ago',
    anniversary_within: 'has its anniversary in {span}',
    granted: 'is granted',
    not_granted: 'is not granted',
    expired: 'has expired',
    expires_within: 'expires in {span}',
  },
  /** Opposites of the predicates, for conditions that a filter negates. */
  opposites: {
    exists: 'has no value',
    missing: 'has a value',
    eq: 'is not {value}',
    ne: 'is {value}',
    in: 'is not {value}',
    not_in: 'is {value}',
    contains: 'does not contain {value}',
    not_contains: 'contains {value}',
    starts_with: 'does not start with {value}',
    ends_with: 'does not end with {value}',
    lt: 'is not less than {value}',
    lte: 'is not at most {value}',
    gt: 'is not more than {value}',
    gte: 'is not at least {value}',
    between: 'is not between {value} and {to}',
    on: '{kind, select, day {is not on {value}} moment {is not on {value}} other {is not {value}}}',
    before:
      '{kind, select, ago {is not earlier than {value}} ahead {is not earlier than {value}} other {is not before {value}}}',
    after:
      '{kind, select, ago {is not later than {value}} ahead {is not later than {value}} other {is not after {value}}}',
    within_last: 'is not within {span}',
    within_next: 'is not within {span}',
    older_than: 'is not more than {value} ago',
    anniversary_within: 'does not have its anniversary in {span}',
    granted: 'is not granted',
    not_granted: 'is granted',
    expired: 'has not expired',
    expires_within: 'does not expire in {span}',
  },
  text: '“{value}”',
  yes: 'yes',
  no: 'no',
  amount: '{value} {currency}',
  relationship: { user: 'user {user}', entity: 'entity {entity} of user {user}' },
  preference: { GRANTED: 'granted', DENIED: 'denied', REVOKED: 'revoked' },
  preferenceOf:
    '{dates, select, both {{status} from {since} until {until}} since {{status} from {since}} until {{status} until {until}} other {{status}}}',
  units: {
    years: '{count, plural, one {# year} other {# years}}',
    months: '{count, plural, one {# month} other {# months}}',
    weeks: '{count, plural, one {# week} other {# weeks}}',
    days: '{count, plural, one {# day} other {# days}}',
    hours: '{count, plural, one {# hour} other {# hours}}',
    minutes: '{count, plural, one {# minute} other {# minutes}}',
    seconds: '{count, plural, one {# second} other {# seconds}}',
  },
  /** Units of one duration: "1 year 6 months". */
  duration: '{first} {rest}',
  ago: '{duration} ago',
  ahead: '{duration} from now',
  span: '{direction, select, last {the last {duration}} other {the next {duration}}}',
  /** A span of one unit, which needs no number. */
  singleSpan: {
    years: '{direction, select, last {the last year} other {the next year}}',
    months: '{direction, select, last {the last month} other {the next month}}',
    weeks: '{direction, select, last {the last week} other {the next week}}',
    days: '{direction, select, last {the last day} other {the next day}}',
    hours: '{direction, select, last {the last hour} other {the next hour}}',
    minutes: '{direction, select, last {the last minute} other {the next minute}}',
    seconds: '{direction, select, last {the last second} other {the next second}}',
  },
})

/** Texts of the filter builder. `place` is the number of a condition or group: "2.1". */
export const filterBuilderText = defineMessages({
  condition: 'Condition {place}',
  group: 'Group {place}',
  /** Names of the whole filter, which has no place. */
  whole: { condition: 'Condition', group: 'Group' },
  match: { label: 'Matches', all: 'All of these', any: 'Any of these', not: 'Excluded' },
  /** Shown in an empty group. */
  emptyGroup: {
    all: 'Matches all users until you add a condition.',
    any: 'Matches no users until you add a condition.',
    not: 'Add a condition to exclude users.',
  },
  add: {
    condition: {
      word: 'Condition',
      toFilter: 'Add condition',
      toGroup: 'Add condition to group {place}',
    },
    group: { word: 'Group', toFilter: 'Add group', toGroup: 'Add group to group {place}' },
  },
  negate: 'Exclude',
  negateHint: 'Exclude the users who match this',
  wrap: 'Group',
  wrapHint: 'Put this into a group',
  unwrap: 'Ungroup',
  unwrapHint: 'Take the conditions out of this group',
  remove: 'Remove',
  move: {
    condition: 'Move condition {place}',
    group: 'Move group {place}',
    hint: 'Drag, use the arrow keys, or click for a list of places',
    steps: { up: 'Up', down: 'Down', in: 'Into the next group', out: 'Out of its group' },
    toEnd: 'To the end of the filter',
    toGroup: 'Into group {place}',
    /** `name`: "Condition 1". */
    moved: '{name} is now {place}.',
    cannot: {
      up: 'Already the first one here.',
      down: 'Already the last one here.',
      in: 'No group next to this one.',
      out: 'Not in a group.',
    },
  },
  operator: 'Comparison',
  fields: {
    email: 'E-mail',
    name: 'Name',
    ref: 'Ref',
    since: 'Since',
    created: 'Created',
    account: 'Account',
  } satisfies Record<UserField, string>,
  operators: {
    eq: 'is',
    ne: 'is not',
    in: 'is any of',
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
    older_than: 'is older than',
    anniversary_within: 'has its anniversary in the next',
    granted: 'is granted',
    not_granted: 'is not granted',
    expired: 'has expired',
    expires_within: 'expires in the next',
  } satisfies Record<Operator, string>,
  /** Comparisons that include their value. */
  wholeValues: { isTrue: 'yes', isFalse: 'no', status: 'status: {status}' },
  /** "is" for a time of day, since "is on" would be wrong English. */
  timeIs: 'is',
  value: 'Value',
  nthValue: 'Value {place}',
  from: 'From',
  to: 'To',
  and: 'and',
  addValue: 'Add value',
  removeValue: 'Remove value {place}',
  zone: 'Time zone: {zone}',
  /** List of what a condition can be about. */
  subjects: {
    label: 'Property, consent, segment…',
    list: 'What to filter by',
    none: 'Nothing matches. To filter by a property that nobody has yet, type its key, such as car.colour.',
    loading: 'Loading properties…',
    failed: 'Couldn’t load the properties.',
    more: 'Type to find more.',
    groups: {
      user: 'User',
      property: 'Properties',
      consent: 'Consents',
      segment: 'Segments',
      account: 'Account',
      entity: 'Entities',
      new: 'New',
    },
    account: { yes: 'Has an account', no: 'No account yet' },
    segment: 'In segment {segment}',
    entity: 'Has {thing}',
    property: '{type} › {label}',
    newKey: 'New: {key} of {type}',
    back: 'Choose something else instead of {subject}',
  },
  /** Dates and spans as they are typed and listed. */
  moments: {
    list: 'Dates',
    placeholder: 'e.g. today, 30 days ago, this month, 1 Mar 2024',
    spanPlaceholder: 'e.g. 90 days',
    today: 'today',
    yesterday: 'yesterday',
    tomorrow: 'tomorrow',
    ago: '{span} ago',
    ahead: 'in {span}',
    spans: {
      within_last: 'in the last {span}',
      within_next: 'in the next {span}',
      older_than: 'more than {span} ago',
      anniversary_within: 'in the next {span}',
      expires_within: 'in the next {span}',
    },
    units: {
      D: '{count, plural, one {# day} other {# days}}',
      W: '{count, plural, one {# week} other {# weeks}}',
      M: '{count, plural, one {# month} other {# months}}',
      Y: '{count, plural, one {# year} other {# years}}',
      TH: '{count, plural, one {# hour} other {# hours}}',
      TM: '{count, plural, one {# minute} other {# minutes}}',
    },
    periods: {
      week: { this: 'this week', last: 'last week', next: 'next week' },
      month: { this: 'this month', last: 'last month', next: 'next month' },
      quarter: { this: 'this quarter', last: 'last quarter', next: 'next quarter' },
      year: { this: 'this year', last: 'last year', next: 'next year' },
    },
    range: '{from} – {to}',
  },
  /** Values of a property, to choose one or several from. */
  values: {
    list: 'Values',
    remove: 'Remove {value}',
    check: 'Select {value}',
    users: '{count, plural, one {# user} other {# users}}',
    several: 'Space selects several.',
  },
  entity: {
    presence: 'How many',
    one: 'has one or more',
    many: 'has at least',
    none: 'has none',
    min: 'How many',
    atLeast: 'at least…',
    entities: 'Number of entities',
    dataType: 'Data type',
    orMissing: 'or has no value',
    mark: 'Sensitive',
    marks: { sensitive: 'sensitive', open: 'not sensitive', either: 'sensitive or not' },
    addTest: 'Add another property of this entity',
    removeTest: 'Remove {label}',
  },
  segment: {
    is: 'is in it',
    isNot: 'is not in it',
    label: 'Segment',
    membership: 'Membership',
    choose: 'Choose a segment',
    none: 'No other segments yet',
  },
  /** Tests of sensitive properties, whose values are encrypted. */
  sealed: {
    note: 'Values are encrypted, so only exact matches are found.',
    denied: '{reason} Filtering by a sensitive property needs that permission.',
    operator: 'This property is sensitive, so only exact matches are found. Use {operators}.',
    status: 'This property is sensitive, so only its status can be matched. Leave the dates empty.',
    day: 'This property is sensitive, so only an exact time or a day in UTC is found. Enter an exact time, or set the time zone to UTC.',
  },
  issue: {
    value: 'Enter a value.',
    text: 'Enter text.',
    duration: 'Enter how long.',
    key: 'Choose a property.',
    segment: 'Choose a segment.',
    group: 'Add a condition, or remove the group.',
  },
})

/** Texts of the list of segments. */
export const segmentText = defineMessages({
  title: 'Segments',
  unnamed: 'No name',
  newSegment: 'New segment',
  showUsers: 'Show users',
  showUsersOf: 'Show users of {segment}',
  columns: {
    name: 'Name',
    who: 'Who matches',
    usedBy: 'Used by',
    updated: 'Changed',
    users: 'Users',
  },
  showCountedUsersOf: 'Show {count, plural, one {# user} other {# users}} of {segment}',
  share: '{part, number, share} of all users',
  sizeOverTime: '{from, number} on {day}, {to, number}\u00A0now',
  usedByMore: '{segment} and {more, number} more',
  find: {
    label: 'Find a segment',
    empty: 'Clear search',
    none: 'No segment matches',
    noneBody: 'We search names, descriptions and filters.',
    clear: 'Show all segments',
    found: '{count, plural, one {# segment} other {# segments}}',
  },
  empty: {
    title: 'No segments yet',
    body: 'A segment is a saved filter, such as users with a car who joined this year.',
  },
  remove: {
    title: 'Delete {segment}?',
    body: 'This deletes the segment and its filter for good. Its users stay.',
    action: 'Delete segment',
    usedBy: 'Other segments use this one. Remove it from these first:',
    usedByUnknown: 'Couldn’t check whether other segments use this one.',
    inUse: 'Other segments use this one',
    failed: 'Couldn’t delete the segment',
    lost: {
      title: 'The segment may have been deleted',
      body: 'The service didn’t answer. Check the list of segments before you try again.',
    },
    deleted: '“{segment}” deleted',
    word: 'delete',
  },
})

/** Texts of a segment's own page. */
export const segmentDetailText = defineMessages({
  who: 'Who matches',
  definition: 'Definition',
  json: 'As JSON',
  copyJson: 'Copy JSON',
  noFilter: 'This service doesn’t share this segment’s filter.',
  customTree: 'The console can’t show this filter as conditions. See the JSON below.',
  id: 'Id',
  created: 'Created',
  updated: 'Changed',
  sizes: 'Size over time',
  zone: 'Time zone',
  showUsers: 'Show users',
  showCountedUsers: 'Show {count, plural, one {# user} other {# users}}',
  actions: 'More actions',
  delete: 'Delete segment…',
  edit: 'Edit',
  duplicate: 'Duplicate…',
  pin: 'Pin',
  unpin: 'Unpin',
  pinned: 'Pinned. The home page shows this segment’s size.',
  unpinned: 'Unpinned',
  export: 'Export users',
  setProperty: 'Bulk change…',
  members: 'Users',
  membersTable: 'Users in this segment',
  counted: '{users} · Counted {time}',
  first: 'Showing the first {shown, number}',
  noMembers: 'No users match right now.',
  membersFailed: 'Couldn’t load the users',
  memberColumns: { name: 'Name', email: 'E-mail', ref: 'Ref', since: 'Since' },
  noName: 'No name',
  usedBy: 'Used by',
  unused: 'No other segments',
  othersFailed: 'Couldn’t load the other segments',
  unreadable: 'Segments with custom filters may use this one too.',
  not: 'Excluded',
  all: 'All of these',
  any: 'Any of these',
  everyone: 'All users',
  nobody: 'No users',
})

/** Texts of the form in which a segment is created and edited. */
export const segmentFormText = defineMessages({
  title: 'New segment',
  listGone: 'The list’s conditions were lost',
  listGoneBody:
    'This page was reloaded, so the filter below is empty and matches all users. If the list still has the conditions, go back and save them from there.',
  toList: 'Back to the list',
  noSegments: 'Couldn’t load the segments, so a condition can’t use one',
  name: 'Name',
  description: 'Description',
  zone: 'Time zone',
  zoneHint: 'For “today”, “last 30 days” and other whole days.',
  filter: 'Filter',
  views: { label: 'Filter editor', builder: 'Builder', json: 'JSON' },
  undo: 'Undo',
  redo: 'Redo',
  withKeys: '{label} ({keys})',
  noUndo: 'Nothing to undo',
  noRedo: 'Nothing to redo',
  undone: 'Undone. {left, plural, one {# step} other {# steps}} left to undo.',
  redone: 'Redone. {left, plural, one {# step} other {# steps}} left to redo.',
  line: 'Line {line}',
  submit: 'Create segment',
  created: '“{segment}” created',
  sentence: 'In words',
  about: 'About this filter',
  jsonLabel: 'Filter as JSON',
  notJson: 'This isn’t valid JSON: {reason}',
  staysJson: 'The builder can’t show this filter:',
  whole: 'Whole filter',
  failed: 'Couldn’t create the segment',
  kept: 'What you typed is still here.',
  lost: 'The segment may have been created',
  lostBody:
    'The service didn’t answer. Check the list of segments before you try again. What you typed is still here.',
  lostRecognised:
    'The service didn’t answer. Press “Create segment” again without changing anything: you won’t get a second segment.',
})

/** Texts of changing and duplicating a segment. */
export const segmentEditText = defineMessages({
  title: 'Edit {segment}',
  copyOf: 'Copy of {segment}',
  submit: 'Save segment',
  saved: '“{segment}” saved',
  /** `fields`: changed by someone else in between, and kept. */
  savedWith: '“{segment}” saved. Someone else changed {fields}: their changes are kept.',
  conflict: '“{segment}” has changed since you opened it',
  failed: 'Couldn’t save the segment',
  lost: {
    title: 'Your changes may have been saved',
    body: 'The service didn’t answer. What you typed is still here, and you can safely save again.',
  },
  missing: {
    title: 'Someone else deleted this segment',
    body: '“Create segment” creates the segment again, with a new id.',
  },
  noFilter: 'This service doesn’t share this segment’s filter, so you can’t edit or duplicate it.',
  fields: { name: 'name', description: 'description', filter: 'filter', tz: 'time zone' },
})

/** Preview of a filter's matches before it is saved. */
export const segmentPreviewText = defineMessages({
  title: 'Who matches now',
  users:
    '{bound, select, least {At least {count, plural, one {# user} other {# users}}} other {{count, plural, one {# user} other {# users}}}}',
  /** `users` is the text `users`. */
  ofAll: '{users} out of {all, number}',
  /** `duration` is the text `took`. */
  counted: 'Counted {time} {duration}.',
  took: 'in {seconds} s',
  stopped: 'Counting stopped early: a full count would take too long.',
  /** `again`: the result of the previous filter is still on the screen. */
  counting: { first: 'Counting…', again: 'Counting… Showing the previous result.' },
  unfinished: {
    first: 'Finish the filter to see who matches.',
    again: 'Finish the filter to update this list. Showing the previous result.',
  },
  nobody: 'No users match.',
  some: '{shown, number} of them',
  all: 'All of them',
  failed: 'Couldn’t count the matching users',
  failedBody: 'You can still save the segment.',
  segmentOnly:
    'This service reveals sensitive values only with a reason. Save the segment to see who matches.',
  noName: 'No name',
  opens: '{user}, opens in a new tab',
})
