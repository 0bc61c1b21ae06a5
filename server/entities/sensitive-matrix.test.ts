import { describe, expect, test } from 'vitest'

import { type Entity, type Event, isRole, type Property, type Role, scopesOfRoles } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'

// Matrix of the rights on a sensitive property, next to those on a plain one: which caller may do what, and who sees
// the value. A new operation that returns or accepts property values needs two rows here.

/**
 * Roles, and callers with scopes that no role has: entities without sensitive values, sensitive values without
 * writing, and sensitive values without reading.
 */
const callers = ['nobody', 'support', 'integrator', 'steward', 'admin', 'writer', 'reader', 'blind'] as const
type Caller = (typeof callers)[number]

const scopesOf: Partial<Record<Caller, string>> = {
  writer: 'users:read users:write users:delete entities:read entities:write events:read',
  reader: 'users:read entities:read sensitive:read',
  blind: 'users:read users:write entities:read entities:write sensitive:write',
}

const stored = 'canary-stored'
const given = 'canary-given'

interface Subject {
  readonly user: string
  readonly email: string
  readonly entity: string
  readonly sensitive: boolean
  /** The property as a caller with all rights sees it. */
  readonly property: Property
}
interface Request {
  readonly method: string
  readonly path: string
  readonly body?: object
}
interface Operation {
  /** Returns the operation's request; the entity has this one property. */
  readonly send: (subject: Subject) => Request | Promise<Request>
  /**
   * Expected property after the operation; without this function, unchanged. Returns undefined if the property is
   * removed.
   */
  readonly leaves?: (subject: Subject) => object | undefined
  /** Expected property after a refusal; without this function, unchanged. */
  readonly refused?: (subject: Subject) => object | undefined
  /** Status for each caller, in order; `+` means that the answer contains the stored value. */
  readonly plain: string
  readonly sensitive: string
}

const at = ({ user, entity }: Subject) => `/users/${user}/entities/${entity}`
const key = 'k'
const put = (subject: Subject, change: object): Request => {
  const { value: _, ...property } = subject.property
  return {
    method: 'PUT',
    path: at(subject),
    body: { type: 'person', properties: [{ ...property, ...change }] },
  }
}
const patch = (subject: Subject, change: object): Request => ({
  method: 'PATCH',
  path: at(subject),
  body: { properties: [{ key, ...change }] },
})
const fresh = ({ sensitive }: Subject) => [{ key, type: 'TEXT', sensitive, value: given }]
const flip = ({ sensitive }: Subject) => ({ sensitive: !sensitive })

const operations: Record<string, Operation> = {
  list: {
    send: ({ user }) => ({ method: 'GET', path: `/users/${user}/entities` }),
    plain: '    401  200+  403  200+  200+  200+  200+   200+',
    sensitive: '401  200   403  200+  200+  200   200+   200',
  },
  'list, masked': {
    send: ({ user }) => ({ method: 'GET', path: `/users/${user}/entities?sensitive=masked` }),
    plain: '    401  200+  403  200+  200+  200+  200+   200+',
    sensitive: '401  200   403  200   200   200   200   200',
  },
  get: {
    send: (subject) => ({ method: 'GET', path: at(subject) }),
    plain: '    401  200+  403  200+  200+  200+  200+   200+',
    sensitive: '401  200   403  200+  200+  200   200+   200',
  },
  'get, masked': {
    send: (subject) => ({ method: 'GET', path: `${at(subject)}?sensitive=masked` }),
    plain: '    401  200+  403  200+  200+  200+  200+   200+',
    sensitive: '401  200   403  200   200   200   200   200',
  },
  reveal: {
    send: (subject) => ({
      method: 'POST',
      path: `${at(subject)}/reveal`,
      body: { keys: [key], reason: 'Test' },
    }),
    plain: '    401  403   403  200+  200+  403   200+   403',
    sensitive: '401  403   403  200+  200+  403   200+   403',
  },
  'put as read masked': {
    send: (subject) => put(subject, { masked: true }),
    plain: '    401  403   403  204   204   204   403   204',
    sensitive: '401  403   403  204   204   204   403   204',
  },
  'put with the stored value, perhaps guessed': {
    send: (subject) => put(subject, { value: stored }),
    plain: '    401  403   403  204   204   204   403   204',
    sensitive: '401  403   403  204   204   403   403   204',
  },
  'put another value': {
    send: (subject) => put(subject, { value: given }),
    leaves: () => ({ value: given }),
    plain: '    401  403   403  204   204   204   403   204',
    sensitive: '401  403   403  204   204   403   403   204',
  },
  'put without it': {
    send: (subject) => ({ method: 'PUT', path: at(subject), body: { type: 'person', properties: [] } }),
    leaves: () => undefined,
    plain: '    401  403   403  204   204   204   403   204',
    sensitive: '401  403   403  204   204   403   403   204',
  },
  'put with the mark turned': {
    send: (subject) => put(subject, { value: stored, ...flip(subject) }),
    leaves: flip,
    plain: '    401  403   403  204   204   403   403   204',
    sensitive: '401  403   403  204   204   403   403   403',
  },
  'put masked with the mark turned': {
    send: (subject) => put(subject, { masked: true, ...flip(subject) }),
    leaves: flip,
    plain: '    401  403   403  204   204   403   403   204',
    sensitive: '401  403   403  204   204   403   403   403',
  },
  'put with a value that does not fit': {
    send: (subject) => put(subject, { type: 'DATE', value: given }),
    plain: '    401  403   403  422   422   422   403   422',
    sensitive: '401  403   403  422   422   403   403   422',
  },
  'patch nothing of it': {
    send: (subject) => patch(subject, {}),
    plain: '    401  403   403  204   204   204   403   204',
    sensitive: '401  403   403  204   204   204   403   204',
  },
  'patch the value': {
    send: (subject) => patch(subject, { value: given }),
    leaves: () => ({ value: given }),
    plain: '    401  403   403  204   204   204   403   204',
    sensitive: '401  403   403  204   204   403   403   204',
  },
  'patch with the stored value, perhaps guessed': {
    send: (subject) => patch(subject, { value: stored }),
    plain: '    401  403   403  204   204   204   403   204',
    sensitive: '401  403   403  204   204   403   403   204',
  },
  'patch the type, which does not fit': {
    send: (subject) => patch(subject, { type: 'DATE' }),
    plain: '    401  403   403  422   422   422   403   422',
    sensitive: '401  403   403  422   422   403   403   403',
  },
  'patch the mark': {
    send: (subject) => patch(subject, flip(subject)),
    leaves: flip,
    plain: '    401  403   403  204   204   403   403   204',
    sensitive: '401  403   403  204   204   403   403   403',
  },
  'put under another type of entity': {
    send: (subject) => {
      const { path } = put(subject, {})
      const { value, ...property } = subject.property
      const kept = { ...property, ...(subject.sensitive ? { masked: true } : { value }) }
      return { method: 'PUT', path, body: { type: 'car', properties: [kept] } }
    },
    plain: '    401  403   403  204   204   204   403   204',
    sensitive: '401  403   403  204   204   403   403   204',
  },
  'patch the type of the entity': {
    send: (subject) => ({ method: 'PATCH', path: at(subject), body: { type: 'car' } }),
    plain: '    401  403   403  204   204   204   403   204',
    sensitive: '401  403   403  204   204   403   403   204',
  },
  'delete the user': {
    send: ({ user }) => ({ method: 'DELETE', path: `/users/${user}` }),
    leaves: () => undefined,
    plain: '    401  403   403  204   204   204   403   403',
    sensitive: '401  403   403  204   204   403   403   403',
  },
  delete: {
    send: (subject) => ({ method: 'DELETE', path: at(subject) }),
    leaves: () => undefined,
    plain: '    401  403   403  204   204   204   403   204',
    sensitive: '401  403   403  204   204   403   403   204',
  },
  'post an entity': {
    send: (subject) => ({
      method: 'POST',
      path: `/users/${subject.user}/entities`,
      body: { type: 'car', properties: fresh(subject) },
    }),
    plain: '    401  403   403  201   201   201   403   201',
    sensitive: '401  403   403  201   201   403   403   201',
  },
  'post a new user with it': {
    send: (subject) => ({ method: 'POST', path: '/users', body: { properties: fresh(subject) } }),
    plain: '    401  403   403  201   201   201   403   201',
    sensitive: '401  403   403  201   201   403   403   201',
  },
  'post the same user with another value': {
    send: ({ email }) => ({
      method: 'POST',
      path: '/users',
      body: { email, properties: [{ key, value: given }] },
    }),
    leaves: () => ({ value: given }),
    plain: '    401  403   403  303   303   303   403   303',
    sensitive: '401  403   403  303   303   403   403   303',
  },
  'restore it once it is deleted': {
    send: async (subject) => {
      await ask('admin', { method: 'DELETE', path: at(subject) })
      return { method: 'POST', path: `${at(subject)}/restore` }
    },
    leaves: () => ({ id: expect.any(String) }),
    refused: () => undefined,
    plain: '    401  403   403  204   204   204   403   204',
    sensitive: '401  403   403  204   204   403   403   204',
  },
  'make its deletion back': {
    send: async (subject) => {
      await ask('admin', { method: 'DELETE', path: at(subject) })
      return { method: 'POST', path: `/changesets/${await changesetOf(subject)}/revert`, body: {} }
    },
    leaves: () => ({ id: expect.any(String) }),
    refused: () => undefined,
    plain: '    401  403   403  204   204   204   403   204',
    sensitive: '401  403   403  204   204   403   403   204',
  },
  'put the value before a change back': {
    send: async (subject) => {
      await ask('admin', patch(subject, { value: given }))
      return { method: 'POST', path: `/changesets/${await changesetOf(subject)}/revert`, body: {} }
    },
    refused: () => ({ value: given }),
    plain: '    401  403   403  204   204   204   403   204',
    sensitive: '401  403   403  204   204   403   403   204',
  },
  'put back what was there before the mark was turned': {
    send: async (subject) => {
      await ask('admin', patch(subject, flip(subject)))
      return { method: 'POST', path: `/changesets/${await changesetOf(subject)}/revert`, body: {} }
    },
    refused: flip,
    plain: '    401  403   403  204   204   403   403   403',
    sensitive: '401  403   403  204   204   403   403   204',
  },
  'what the write changed': {
    send: async (subject) => ({ method: 'GET', path: `/changesets/${await changesetOf(subject)}` }),
    plain: '    401  200+  403  200+  200+  200+  200+   200+',
    sensitive: '401  200   403  200+  200+  200   200+   200',
  },
  'what the write changed, masked': {
    send: async (subject) => ({
      method: 'GET',
      path: `/changesets/${await changesetOf(subject)}?sensitive=masked`,
    }),
    plain: '    401  200+  403  200+  200+  200+  200+   200+',
    sensitive: '401  200   403  200   200   200   200   200',
  },
  'its events': {
    send: ({ user }) => ({ method: 'GET', path: `/events?user=${user}` }),
    plain: '    401  200   200  200   200   200   403   403',
    sensitive: '401  200   200  200   200   200   403   403',
  },
  'known keys': {
    send: () => ({ method: 'GET', path: '/keys?entity=person' }),
    plain: '    401  200   403  200   200   200   200   200',
    sensitive: '401  200   403  200   200   200   200   200',
  },
}

const service = testService()

async function ask(caller: Caller, { method, path, body }: Request) {
  const scope = scopesOf[caller]
  const token = scope === undefined ? undefined : await service.sign({ sub: caller, scope })
  const role = scope !== undefined || caller === 'nobody' ? undefined : (caller as Role)
  const { status, headers, ...answer } = await service.call(
    role,
    method,
    path,
    body,
    token === undefined ? {} : { authorization: `Bearer ${token}` },
  )
  return { status, text: JSON.stringify([answer, ...headers]) }
}

let made = 0
async function makeSubject(sensitive: boolean): Promise<Subject> {
  const email = `subject.${++made}@example.org`
  const user = await service.create('admin', '/users', {
    email,
    properties: [{ key, type: 'TEXT', sensitive, value: stored }],
  })
  const [entity] = await entitiesOf(user)
  const [property] = entity?.properties ?? []
  if (!entity || !property) throw new Error('The subject was not made.')
  return { user, email, entity: entity.id, sensitive, property }
}

/** Returns the user's entities; an empty list if the user was deleted. */
async function entitiesOf(user: string): Promise<Entity[]> {
  const { status, body } = await service.call('admin', 'GET', `/users/${user}/entities`)
  return status === 404 ? [] : body
}

async function changesetOf({ user }: Subject): Promise<string> {
  const events: Event[] = (
    await service.call('admin', 'GET', `/events?order=desc&type=DIRECT_DATA_CHANGE&user=${user}`)
  ).body
  return events[0]?.properties.changeset as string
}

describe.each(Object.entries(operations))('%s', (_name, operation) => {
  const rows = (['plain', 'sensitive'] as const).flatMap((kind) => {
    const cells = operation[kind].trim().split(/\s+/)
    return callers.map((caller, place) => [kind, caller, cells[place] ?? ''] as const)
  })
  test.each(rows)('a %s property: %s gets %s', async (kind, caller, cell) => {
    const subject = await makeSubject(kind === 'sensitive')
    const { status, text } = await ask(caller, await operation.send(subject))
    expect({ status, shown: text.includes(stored) }).toEqual({
      status: Number.parseInt(cell, 10),
      shown: cell.endsWith('+'),
    })
    // Answers never repeat what was sent, least of all errors.
    expect(text).not.toContain(given)
    const outcome = status < 400 ? operation.leaves : operation.refused
    const wanted = outcome ? outcome(subject) : {}
    const left = (await entitiesOf(subject.user)).find(({ id }) => id === subject.entity)?.properties ?? []
    expect(left).toEqual(wanted ? [{ ...subject.property, ...wanted }] : [])
  })
})

test('a user whose values become sensitive in between is not deleted by a caller who may not change them', async () => {
  for (let round = 0; round < 20; round++) {
    const subject = await makeSubject(false)
    const [mark, remove] = await Promise.all([
      ask('admin', patch(subject, { sensitive: true })),
      ask('writer', { method: 'DELETE', path: `/users/${subject.user}` }),
    ])
    expect(['204 403', '404 204']).toContain(`${mark.status} ${remove.status}`)
  }
})

test('no role is like the callers without one', () => {
  const roles = callers.filter(isRole)
  for (const scopes of Object.values(scopesOf))
    for (const role of roles)
      expect([...scopesOfRoles([role])].sort().join(' ')).not.toBe(scopes.split(' ').sort().join(' '))
  for (const { plain, sensitive } of Object.values(operations))
    for (const row of [plain, sensitive]) expect(row.trim().split(/\s+/)).toHaveLength(callers.length)
})
