import type { EndpointName, Endpoints } from '#contract/index.ts'
import { ids, propertyMembers, reason, requestExamples, segment, typeMembers } from './request-examples.ts'

type Replies = {
  readonly [
    Name in EndpointName as Endpoints[Name] extends { readonly reply: object } ? Name : never
  ]: unknown
}

/** Times of users, entities, segments and webhooks have no zone, as the API document has it; all others do. */
const time = '2026-03-01T09:30:00.000'
const utc = `${time}Z`
const user = {
  id: ids.user,
  email: 'rosa.klein@example.org',
  name: 'Rosa Klein',
  ref: 'K-1042',
  created: time,
  since: time,
  account: false,
  invite_url: 'https://shop.example.org/invitation?token=ZXhhbXBsZS10b2tlbg',
}
const userPage = { total: 1, numberOfRecords: 1, offset: '', next: '', users: [user] }
const plate = { id: ids.property, key: 'plate', type: 'TEXT', sensitive: false, value: 'B-DS 2024' }
const car = {
  id: ids.entity,
  type: 'car',
  created: time,
  properties: [
    plate,
    { id: ids.otherProperty, key: 'iban', type: 'TEXT', sensitive: true, masked: true, version: 'q7Zk1x' },
  ],
}
const storedSegment = { ...segment, id: ids.segment, created: time, updated: time, total: 12, counted: time }
const event = {
  id: ids.event,
  eventtime: utc,
  type: 'DIRECT_DATA_CHANGE',
  properties: { user: ids.user, entity: ids.entity, changeset: ids.changeset },
  delivered: true,
  deliveredtime: '2026-03-01T09:30:01.000Z',
  delivery: { state: 'delivered', attempts: 1 },
}
const change = { op: 'change', key: 'plate', type: 'TEXT', before: 'B-DS 2023', after: 'B-DS 2024' }
const property = { key: 'mileage', ...propertyMembers, users: 42, updated: time }
const type = { type: 'car', ...typeMembers, users: 42, updated: time }

const subscription = {
  id: ids.subscription,
  url: 'https://example.org/hooks',
  types: ['USER_CREATED', 'DIRECT_DATA_CHANGE'],
  description: 'Newsletter',
  enabled: true,
  created: time,
  updated: time,
  waiting: 0,
  lastSuccess: utc,
}
const lastAttempt = {
  number: 1,
  time: utc,
  ms: 84,
  status: 204,
  request: { headers: { 'content-type': 'application/json', 'webhook-id': ids.event } },
  response: { headers: { date: 'Sun, 01 Mar 2026 09:30:01 GMT' }, body: '' },
}
const job = {
  id: ids.job,
  kind: 'set',
  state: 'finished',
  dryRun: true,
  total: 2,
  done: 2,
  set: {
    entity: 'person',
    key: 'newsletter',
    type: 'PREFERENCE',
    value: { status: 'REVOKED', statusDate: '2026-03-01T09:30:00.000Z' },
    create: true,
  },
  reason,
  actor: 'steward',
  created: utc,
  ended: utc,
  outcomes: { changed: 1, unchanged: 1 },
}
const importView = {
  job: ids.job,
  state: 'ready',
  found: {
    encoding: 'utf-8',
    separator: ';',
    header: 1,
    rows: 2,
    guarded: 0,
    doubled: [],
    isOwn: false,
  },
  columns: [
    { header: 'Name', samples: ['Rosa Klein'], proposed: { to: 'field', field: 'name' } },
    {
      header: 'Plate',
      samples: ['B-DS 2024'],
      proposed: { to: 'property', entity: 'car', key: 'plate', type: 'TEXT' },
    },
  ],
  firstRows: [{ row: 2, cells: ['Rosa Klein', 'B-DS 2024'] }],
}

const erasure = {
  user: ids.otherUser,
  deleted: utc,
  state: 'waiting',
  due: '2026-03-02T09:30:00.000Z',
  actor: 'admin',
  reference: 'Ticket 4711',
}

/** A worked example of the body of each answer, of the same things as those of the requests. */
export const replyExamples: Replies = {
  listUsers: userPage,
  getUser: user,
  listEntities: [car],
  getEntity: car,
  listSegments: [storedSegment],
  getSegment: storedSegment,
  listDataTypes: ['BOOLEAN', 'CURRENCY', 'DATE', 'TEXT'],
  listEvents: [event],
  getEvent: event,
  getCapabilities: { api: '1.5', release: '0.3.0', features: { 'users.search': 1, definitions: 1 } },
  searchUsers: {
    ...userPage,
    users: [
      {
        ...user,
        matched: { entity: ids.entity, type: 'car', key: 'plate', value: 'B-DS 2024' },
        columns: { 'car.plate': [plate] },
      },
    ],
  },
  lookUpUsers: [{ id: ids.user, name: user.name, email: user.email }],
  revealProperties: {
    properties: [
      {
        id: ids.otherProperty,
        key: 'iban',
        type: 'TEXT',
        sensitive: true,
        value: 'DE89 3704 0044 0532 0130 00',
        version: 'q7Zk1x',
      },
    ],
  },
  beginAccess: { access: ids.event },
  checkValue: { matches: true },
  listKeys: [{ key: 'plate', type: 'TEXT', sensitive: false }],
  getDictionary: {
    made: utc,
    entityTypes: [
      {
        type: 'car',
        entities: 48,
        users: 42,
        keys: [
          {
            key: 'plate',
            count: 48,
            users: 42,
            sensitive: 0,
            types: [{ type: 'TEXT', count: 48, users: 42, sensitive: 0 }],
            segments: [{ id: ids.segment, name: segment.name }],
          },
        ],
      },
    ],
  },
  listDefinitions: { made: utc, entityTypes: [{ ...type, properties: [property] }] },
  getTypeDefinition: type,
  getDefinition: property,
  listKeyValues: {
    made: utc,
    values: [
      { type: 'TEXT', value: 'red', users: 17 },
      { type: 'TEXT', value: 'blue', users: 9 },
    ],
  },
  listUserSegments: [
    {
      id: ids.segment,
      name: segment.name,
      member: true,
      why: {
        all: [{ user: 'name', op: 'contains', value: 'klein', actual: 'Rosa Klein', pass: true }],
        pass: true,
      },
    },
  ],
  explainUser: {
    member: true,
    why: {
      all: [{ user: 'name', op: 'contains', value: 'klein', actual: 'Rosa Klein', pass: true }],
      pass: true,
    },
  },
  previewSegment: { total: 1, users: [user] },
  listSegmentHistory: [{ id: ids.segment, sizes: [{ day: '2026-03-01', total: 12, users: 2000 }] }],
  listDependents: [{ id: ids.otherSegment, name: 'New owners without a newsletter' }],
  countEvents: {
    series: [
      {
        start: '2026-03-01T00:00:00.000Z',
        types: { USER_CREATED: 3, DIRECT_DATA_CHANGE: 14 },
        states: { delivered: 16, waiting: 1, failed: 0, none: 0 },
      },
    ],
  },
  getChangeset: {
    id: ids.changeset,
    user: ids.user,
    entity: ids.entity,
    op: 'change',
    entityType: 'car',
    actor: 'steward',
    reason,
    time: utc,
    changes: [change],
  },
  lookUpChangesets: [
    {
      id: ids.changeset,
      op: 'change',
      entityType: 'car',
      reason,
      total: 1,
      changes: [{ op: 'change', key: 'plate', type: 'TEXT' }],
    },
  ],
  revealChanges: {
    changes: [
      {
        op: 'change',
        key: 'iban',
        type: 'TEXT',
        sensitive: true,
        before: 'DE89 3704 0044 0532 0130 00',
        after: 'FR14 2004 1010 0505 0001 3M02 606',
      },
    ],
  },
  listSubscriptions: [subscription],
  createSubscription: { id: ids.subscription, secret: 'whsec_ZXhhbXBsZS1zZWNyZXQ' },
  getSubscription: subscription,
  testSubscription: { event: ids.event },
  rotateSecret: { secret: 'whsec_bmV3LWV4YW1wbGUtc2VjcmV0', previousSecretUntil: '2026-03-02T09:30:00.000Z' },
  listRecentAttempts: [{ ...lastAttempt, event: ids.event, type: 'DIRECT_DATA_CHANGE' }],
  getHealth: {
    days: [{ day: '2026-03-01', succeeded: 120, failed: 1 }],
    succeeded: 120,
    failed: 1,
    p50Ms: 84,
    p95Ms: 310,
  },
  recoverSubscription: { events: 17 },
  listDeliveries: [
    {
      subscription: ids.subscription,
      origin: 'https://example.org',
      state: 'delivered',
      attempts: [lastAttempt],
    },
  ],
  redeliverEvent: { deliveries: 1 },
  listAudit: {
    rows: [
      {
        id: ids.event,
        time: utc,
        kind: 'read',
        actor: 'steward',
        user: ids.user,
        entity: ids.entity,
        keys: ['iban'],
        reason,
      },
    ],
    next: '',
  },
  listAuditActors: {
    from: '2026-02-01',
    to: '2026-03-02',
    actors: [
      {
        actor: 'steward',
        reads: 12,
        checks: 1,
        changes: 30,
        people: 9,
        busiest: { people: 3, hour: '2026-02-14T10:00:00.000Z' },
        usual: 2,
        unusual: false,
      },
    ],
  },
  listErasures: {
    total: 1,
    finalBy: 'service',
    since: utc,
    due: '2026-03-02T09:30:00.000Z',
    erasures: [erasure],
  },
  searchErasures: { total: 1, finalBy: 'operator', since: utc, erasures: [erasure], next: '' },
  checkErasure: { erased: true, erasures: [erasure], unknownUntil: '2026-01-12T14:33:07.521Z' },
  listJobs: [job],
  getJob: job,
  getJobReport: {
    next: '',
    users: [
      { user: ids.user, name: user.name, entity: ids.entity, outcome: 'changed' },
      { user: ids.otherUser, name: 'Jan Berg', outcome: 'unchanged' },
    ],
  },
  getImport: importView,
  mapImport: {
    ...importView,
    mapping: requestExamples.mapImport,
    readings: [{ read: 2, empty: 0, bad: 0, badCells: [], questions: [] }, null],
  },
  getImportRows: {
    next: '',
    rows: [
      {
        row: 2,
        outcome: 'changed',
        user: ids.user,
        name: user.name,
        by: 'email',
        cells: ['Rosa Klein', 'B-DS 2024'],
        changes: [
          { column: 1, entity: 'car', key: 'plate', before: 'B-DS 2023', after: 'B-DS 2024', type: 'TEXT' },
        ],
        problems: [],
      },
    ],
  },
}
