import type { EndpointName, Endpoints } from '#contract/index.ts'

/** Ids of the things that the examples speak of. */
export const ids = {
  user: '0199e3a0-5b6c-7d10-8a42-1f0c9d3b7e01',
  otherUser: '0199e3a0-5b6c-7d10-8a42-1f0c9d3b7e02',
  entity: '0199e3a1-0c2e-7b54-9c11-5a7e2f4d6b03',
  property: '0199e3a1-0c2e-7b54-9c11-5a7e2f4d6b09',
  otherProperty: '0199e3a1-0c2e-7b54-9c11-5a7e2f4d6b0a',
  segment: '0199e3a2-77d1-7e08-b3f5-2c9a1e8d4f04',
  otherSegment: '0199e3a2-77d1-7e08-b3f5-2c9a1e8d4f0b',
  event: '0199e3a3-1e9f-7c62-a0d7-6b4f8c2e1a05',
  changeset: '0199e3a3-1e9f-7c62-a0d7-6b4f8c2e1a06',
  subscription: '0199e3a4-40b8-7a93-8e26-3d7c5b9f0e07',
  job: '0199e3a5-92c4-7f17-9b60-4e1d8a6c3f08',
} as const

type Bodies = {
  readonly [Name in EndpointName as Endpoints[Name] extends { readonly body: object } ? Name : never]: unknown
}

const plate = { key: 'plate', type: 'TEXT', sensitive: false, value: 'B-DS 2024' } as const
const entity = {
  type: 'car',
  properties: [
    plate,
    { key: 'price', type: 'CURRENCY', value: { currency: 'EUR', value: '18500.00' } },
    { key: 'owner', type: 'RELATIONSHIP', value: { user: ids.user, entity: ids.entity } },
    {
      key: 'newsletter',
      type: 'PREFERENCE',
      value: {
        status: 'GRANTED',
        statusDate: '2026-03-01T09:30:00.000Z',
        expires: '2028-03-01T09:30:00.000Z',
      },
    },
  ],
} as const

const filter = {
  all: [
    { any: [{ user: 'name', op: 'contains', value: 'klein' }] },
    { not: { segment: ids.segment } },
    { user: 'since', op: 'within_last', value: 'P90D' },
    { user: 'created', op: 'after', value: { ago: 'P1Y' } },
    {
      entity: 'car',
      where: [
        { key: 'plate', type: 'TEXT', op: 'starts_with', value: 'B-', orMissing: false },
        { key: 'colour', type: 'TEXT', op: 'in', value: ['red', 'blue'], sensitive: false },
      ],
      min: 1,
    },
  ],
} as const
export const segment = {
  name: 'New owners in Berlin',
  description: 'Users of the last 90 days with a car from Berlin.',
  filter,
  tz: 'Europe/Berlin',
} as const

export const propertyMembers = {
  label: { en: 'Mileage', de: 'Kilometerstand' },
  description: { en: 'As read at the last service.' },
  type: 'NUMBER',
  sensitive: false,
  choices: [{ value: 0, label: { en: 'New' } }],
  unit: 'km',
  mask: 'none',
  group: 'Condition',
  order: 3,
  keyFact: true,
  range: true,
  purpose: 'Invitations to the next service',
  basis: 'contract',
  recipients: 'Workshop',
  keptFor: 'P10Y',
  enforce: 'off',
} as const
export const typeMembers = {
  label: { en: 'Car', de: 'Auto' },
  plural: { en: 'Cars', de: 'Autos' },
  description: { en: 'A vehicle that the customer drives.' },
  icon: 'car',
  title: '{brand} {plate}',
  noOtherKeys: false,
} as const

export const reason = 'Customer asked on the phone, ticket 4711'

/** A worked example of each request body. Tests alter them at every place. */
export const requestExamples: Bodies = {
  createUser: {
    email: 'rosa.klein@example.org',
    name: 'Rosa Klein',
    ref: 'K-1042',
    since: '2026-03-01T09:30:00.000',
    properties: [plate],
  },
  patchUser: {
    email: 'rosa.klein@example.org',
    name: 'Rosa Klein-Berg',
    ref: 'K-1042',
    since: '2026-03-01T09:30:00.000',
  },
  acceptInvitation: { token: 'ZXhhbXBsZS10b2tlbg' },
  createEntity: entity,
  replaceEntity: entity,
  patchEntity: entity,
  revealProperties: { keys: ['iban'], reason, access: ids.event },
  beginAccess: { reason },
  searchErasures: {
    state: 'all',
    q: 'Ticket 4711',
    from: '2026-03-01T00:00:00.000Z',
    to: '2026-03-02T00:00:00.000Z',
    offset: '',
  },
  checkErasure: { email: 'jan.berg@example.org' },
  checkValue: { keys: ['iban'], value: 'DE89 3704 0044 0532 0130 00', reason },
  createSegment: segment,
  replaceSegment: segment,
  explainUser: { filter, tz: 'Europe/Berlin' },
  previewSegment: { filter, tz: 'Europe/Berlin' },
  searchUsers: {
    q: 'rosa kl',
    match: 'prefix',
    filter,
    tz: 'Europe/Berlin',
    segment: ids.segment,
    columns: ['car.plate'],
    offset: '',
  },
  lookUpUsers: { ids: [ids.user, ids.otherUser] },
  replaceDefinitions: {
    entityTypes: [{ type: 'car', ...typeMembers, properties: [{ key: 'mileage', ...propertyMembers }] }],
  },
  putTypeDefinition: typeMembers,
  putDefinition: propertyMembers,
  lookUpChangesets: { ids: [ids.changeset] },
  revealChanges: { keys: ['iban'], reason },
  revertChangeset: { keys: ['plate'] },
  createSubscription: {
    url: 'https://example.org/hooks',
    types: ['USER_CREATED', 'DIRECT_DATA_CHANGE'],
    description: 'Newsletter',
    enabled: true,
  },
  patchSubscription: {
    url: 'https://example.org/hooks',
    types: ['USER_CREATED'],
    description: 'Newsletter',
    enabled: false,
  },
  rotateSecret: { hours: 24 },
  recoverSubscription: {
    since: '2026-03-01T00:00:00Z',
    until: '2026-03-02T00:00:00Z',
    dryRun: true,
  },
  redeliverEvent: { subscription: ids.subscription },
  createBatch: {
    ids: [ids.user, ids.otherUser],
    set: {
      entity: 'person',
      key: 'newsletter',
      type: 'PREFERENCE',
      value: { status: 'REVOKED', statusDate: '2026-03-01T09:30:00.000Z' },
      sensitive: true,
      create: true,
      which: 'only',
    },
    reason,
    dryRun: true,
  },
  deleteUsers: { segment: ids.segment, count: 12, dryRun: true },
  createExport: {
    filter,
    tz: 'Europe/Berlin',
    format: 'csv',
    columns: ['name', 'email', 'car.plate'],
    titles: ['Name', 'E-mail', 'Plate'],
    entities: 'first',
    separator: ';',
    byteOrderMark: true,
    sensitive: 'open',
    reason,
  },
  mapImport: {
    columns: [
      { to: 'field', field: 'name' },
      { to: 'property', entity: 'car', key: 'plate', type: 'TEXT', sensitive: false, words: { none: null } },
      {
        to: 'field',
        field: 'since',
        choices: {
          order: 'day',
          serials: true,
          century: 'past',
          decimal: ',',
          currency: 'EUR',
          scheme: 'https',
          yes: 'x',
          consent: true,
        },
      },
      { to: 'ignore' },
    ],
    existing: 'fill',
    empty: 'leave',
    bad: 'row',
  },
  checkImport: { reason },
}
