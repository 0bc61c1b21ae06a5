import { expect, test } from 'vitest'

import { type Changeset, endpoints, type EndpointName, type Event } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { storeFile, targetOf } from '../testing/imports.ts'
import { idOf, type TestAnswer } from '../testing/service.ts'

const service = testService({ allowLoopback: true, jobs: true })

interface Made {
  user: string
  entity: string
  segment: string
  subscription: string
  job: string
  /** Id of a file that is mapped. */
  file: string
  event: string
  /** Id of the entity's last changeset. */
  changeset: string
  invitation: string
}
type Write = (made: Made) => readonly [path: string, body?: object]

const iban = (value: string) => ({ key: 'iban', type: 'TEXT', sensitive: true, value })
const filter = { all: [] }
const entityPath = ({ user, entity }: Made) => `/users/${user}/entities/${entity}`
const subscriptionPath = ({ subscription }: Made) => `/subscriptions/${subscription}`
const batch = { entity: 'person', key: 'town', type: 'TEXT', value: 'Lyon' }

/** Every operation that writes, if only an event, in an order in which each one succeeds. */
const writes = {
  createUser: () => ['/users', { email: 'ana@example.org', properties: [iban('DE01')] }],
  patchUser: ({ user }) => [`/users/${user}`, { name: 'Eva' }],
  acceptInvitation: ({ user, invitation }) => [`/users/${user}/account`, { token: invitation }],
  createEntity: ({ user }) => [`/users/${user}/entities`, { type: 'person', properties: [iban('DE02')] }],
  patchEntity: (made) => [entityPath(made), { properties: [iban('DE03')] }],
  replaceEntity: (made) => [entityPath(made), { type: 'person', properties: [iban('DE04')] }],
  revertChangeset: ({ changeset }) => [`/changesets/${changeset}/revert`, {}],
  revealProperties: (made) => [`${entityPath(made)}/reveal`, { keys: ['iban'], reason: 'Asked' }],
  revealChanges: ({ changeset }) => [`/changesets/${changeset}/reveal`, { keys: ['iban'], reason: 'Asked' }],
  beginAccess: ({ user }) => [`/users/${user}/accesses`, { reason: 'Asked' }],
  checkValue: ({ user }) => [`/users/${user}/check`, { keys: ['iban'], value: 'DE03' }],
  checkErasure: () => ['/erasures/check', { email: 'ben@example.org' }],
  createBatch: ({ user }) => [
    '/users/batch',
    { ids: [user], set: { ...batch, which: 'first' }, reason: 'x' },
  ],
  stopJob: ({ job }) => [`/jobs/${job}/stop`],
  resumeJob: ({ job }) => [`/jobs/${job}/resume`],
  applyJob: ({ job }) => [`/jobs/${job}/apply`],
  undoJob: ({ job }) => [`/jobs/${job}/undo`],
  createExport: ({ user }) => ['/exports', { ids: [user], format: 'csv', columns: ['id'] }],
  createImport: () => ['/imports', Buffer.from('Name\nAna\n')],
  mapImport: ({ file }) => [`/imports/${file}/mapping`, { columns: [targetOf('.name')] }],
  checkImport: ({ file }) => [`/imports/${file}/check`, {}],
  deleteEntity: (made) => [entityPath(made)],
  restoreEntity: (made) => [`${entityPath(made)}/restore`],
  createSegment: () => ['/segments', { name: 'All', filter }],
  replaceSegment: ({ segment }) => [`/segments/${segment}`, { name: 'Everyone', filter }],
  deleteSegment: ({ segment }) => [`/segments/${segment}`],
  createSubscription: () => ['/subscriptions', { url: 'http://127.0.0.1:9/' }],
  testSubscription: (made) => [`${subscriptionPath(made)}/test`],
  patchSubscription: (made) => [subscriptionPath(made), { description: 'Ours' }],
  rotateSecret: (made) => [`${subscriptionPath(made)}/rotate-secret`, {}],
  recoverSubscription: (made) => [
    `${subscriptionPath(made)}/recover`,
    { since: '2024-01-01T00:00:00Z', until: '2024-01-02T00:00:00Z', dryRun: true },
  ],
  redeliverEvent: ({ event }) => [`/events/${event}/redeliver`, {}],
  deleteSubscription: (made) => [subscriptionPath(made)],
  deleteUsers: ({ user }) => ['/users/delete', { ids: [user], count: 1, dryRun: true }],
  deleteUser: ({ user }) => [`/users/${user}`],
  putTypeDefinition: () => ['/definitions/car', { label: { en: 'Car' } }],
  putDefinition: () => ['/definitions/car/plate', { label: { en: 'Plate' } }],
  deleteDefinition: () => ['/definitions/car/plate'],
  deleteTypeDefinition: () => ['/definitions/car'],
  replaceDefinitions: () => ['/definitions', { entityTypes: [] }],
} as const satisfies Partial<Record<EndpointName, Write>>

test('every event that names a changeset has one that can be read, of every operation that writes', async () => {
  const operations = Object.entries(endpoints) as [EndpointName, { method: string; safe?: true }][]
  const writing = operations.filter(([, { method, safe }]) => method !== 'GET' && !safe)
  expect(Object.keys(writes).toSorted()).toEqual(writing.map(([name]) => name).toSorted())

  const file = { columns: [targetOf('.name')], rows: [['Ana']], role: 'admin' } as const
  const made = { file: await storeFile(service.database, file) } as Made
  const seen = new Set<string>()
  const followed = new Set<string>()
  for (const [name, write] of Object.entries(writes) as [EndpointName, Write][]) {
    const [path, body] = write(made)
    const type = Buffer.isBuffer(body) ? { 'content-type': 'text/csv' } : {}
    const answer = await service.call('admin', endpoints[name].method, path, body, type)
    expect({ name, refused: answer.status >= 400 && answer.body }).toEqual({ name, refused: false })
    await note(made, name, answer)
    for (const event of await newEvents(seen)) {
      const { user, entity, changeset, actor } = event.properties
      if (event.type === 'WEBHOOK_TEST') made.event = event.id
      if (typeof changeset !== 'string') continue
      const { status, body: kept } = await service.call('support', 'GET', `/changesets/${changeset}`)
      expect({ name, type: event.type, status }).toEqual({ name, type: event.type, status: 200 })
      expect(kept).toMatchObject({ id: changeset, user, actor, ...(entity !== undefined && { entity }) })
      expect(Date.parse((kept as Changeset).time) / 1000).toBeCloseTo(Date.parse(event.eventtime) / 1000, 0)
      if (entity !== undefined && entity === made.entity) made.changeset = changeset
      followed.add(event.type)
    }
  }
  expect(followed).toEqual(new Set(['USER_CREATED', 'USER_UPDATED', 'DIRECT_DATA_CHANGE', 'USER_DELETED']))
})

async function note(made: Made, name: EndpointName, answer: TestAnswer): Promise<void> {
  if (name === 'createUser') {
    made.user = idOf(answer)
    const { invite_url: url }: { invite_url: string } = (
      await service.call('admin', 'GET', `/users/${made.user}`)
    ).body
    made.invitation = new URL(url).searchParams.get('token') ?? ''
  }
  if (name === 'createEntity') made.entity = idOf(answer)
  if (name === 'createSegment') made.segment = idOf(answer)
  if (name === 'createSubscription') made.subscription = (answer.body as { id: string }).id
  if (name === 'checkImport') {
    const { file } = made
    const state = async () =>
      ((await service.call('admin', 'GET', `/jobs/${file}`)).body as { state: string }).state
    await expect.poll(state).toBe('finished')
  }
  if (name === 'createBatch' || name === 'resumeJob' || name === 'applyJob' || name === 'undoJob') {
    if (name === 'createBatch') made.job = idOf(answer)
    const state = async () =>
      ((await service.call('admin', 'GET', `/jobs/${made.job}`)).body as { state: string }).state
    await expect.poll(state).toBe(name === 'undoJob' ? 'undone' : 'finished')
  }
}

/** Returns the events that no earlier call returned, oldest first. */
async function newEvents(seen: Set<string>): Promise<Event[]> {
  const { body } = await service.call('admin', 'GET', '/events')
  const events = (body as Event[]).filter(({ id }) => !seen.has(id))
  for (const { id } of events) seen.add(id)
  return events
}
