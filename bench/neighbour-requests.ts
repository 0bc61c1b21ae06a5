import type { Role } from '#contract/index.ts'
import { largeEntity, type Prepared } from './neighbour-store.ts'

/** A request that one caller sends over and over while others are measured. */
export interface Sent {
  readonly method?: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: string | object
  /** Whether the body is sent byte by byte. */
  readonly slow?: true
}

export interface Dear extends Sent {
  /** Weakest role that may send the request; defaults to support. */
  readonly as?: Role | 'nobody' | 'somebody with another token'
  /** Whether it is sent again at once after a 429. */
  readonly impatient?: true
}

const words = (count: number, of: string) => Array.from({ length: count }, (_, at) => `${of} ${at}`)

/**
 * A filter with the maximum number of tests and operands, none of which matches. Under `any`, every test is therefore
 * evaluated.
 */
const manyTests = {
  any: words(50, 'nowhere').map((of) => ({
    entity: 'address',
    where: [{ key: 'city', type: 'TEXT', op: 'in', value: words(20, of) }],
  })),
}
/** A filter that no index can answer: every candidate has to be inspected, and none matches. */
const nobody = {
  all: [
    { user: 'name', op: 'contains', value: 'zzz' },
    {
      entity: 'car',
      where: [{ key: 'price', type: 'CURRENCY', op: 'gte', value: { currency: 'EUR', value: '1' } }],
    },
    { not: { entity: 'address', where: [{ key: 'city', type: 'TEXT', op: 'contains', value: 'o' }] } },
  ],
}
const columns = [
  'person.birthday',
  'person.newsletter',
  'address.city',
  'address.country',
  'car.brand',
  'car.price',
]
const tenYears = 'from=2016-12-01T00:00:00Z&to=2026-12-01T00:00:00Z'

const json = 'application/json'
const megabyte = 1024 * 1024
/** Number of values just below the limit of a body. */
const manyValues = 19_900
const many = <Each>(count: number, each: (at: number) => Each) =>
  Array.from({ length: count }, (_, at) => each(at))
const manyFields = Object.fromEntries(many(manyValues, (at) => [`field${at}`, 1]))
const largeUser = { name: 'x', properties: largeEntity.properties }
const nested = (depth: number): object =>
  depth === 0 ? { any: [] } : { any: many(3, () => nested(depth - 1)) }

/** Requests that read much, as far as they are known, by description. */
export function dearest(ids: readonly string[], { user, entity }: Prepared): Readonly<Record<string, Dear>> {
  const [id] = ids
  const packed = { 'accept-encoding': 'br, gzip' }
  return {
    'a search with typing mistakes': post('/users/search', { q: 'maximillian muster' }),
    'a search of eight letters': post('/users/search', { q: 'a e i o u m s t' }),
    'a filter of 50 tests with 1,000 values': post('/users/search', { filter: manyTests }),
    'the same, explained': post(`/users/${id}/explain`, { filter: manyTests }),
    'the same, previewed': post('/segments/preview', { filter: manyTests }),
    'a filter that nobody passes': post('/users/search', { filter: nobody }),
    'the same, by name': post('/users/search', { filter: nobody, sort: 'name' }),
    'all users by name, with columns': post('/users/search', { sort: 'name', columns }),
    'fifty users with columns': post('/users/lookup', { ids: ids.slice(0, 50), columns }),
    'the segments of a user, explained': get(`/users/${id}/segments?explain=true`),
    'all keys': get('/keys'),
    'the dictionary': get('/dictionary'),
    'counts of ten years of events': get(`/events/counts?${tenYears}&by=month`),
    'counts of ten years of events, by hour': get(`/events/counts?${tenYears}&by=hour`),
    'events that there are not': get('/events?order=desc&type=SEGMENT_DELETED&delivery=failed&with=delivery'),
    'the audit of a key that nobody has': { ...get('/audit?key=nowhere'), as: 'steward' },
    'who did what in a year': {
      ...get('/audit/actors?from=2025-12-01T00:00:00Z&to=2026-12-01T00:00:00Z'),
      as: 'steward',
    },
    'a change of everybody, tried': {
      ...post('/users/batch', {
        filter: nobody,
        set: { entity: 'person', key: 'bench', type: 'TEXT', value: 'x' },
        dryRun: true,
      }),
      as: 'steward',
    },
    'all segments': get('/segments'),
    'all segments, compressed': { ...get('/segments'), headers: packed },
    'all segments, HEAD': { ...get('/segments'), method: 'HEAD' },
    'the sizes of all segments': get('/segments/history'),
    'all webhooks': { ...get('/subscriptions'), as: 'integrator' },
    'all jobs': { ...get('/jobs'), as: 'steward' },
    'a user with 8 MB': get(`/users/${user}/entities?sensitive=masked`),
    'a user with 8 MB, compressed': { ...get(`/users/${user}/entities?sensitive=masked`), headers: packed },
    'an entity of 1 MB, compressed': {
      ...get(`/users/${user}/entities/${entity}?sensitive=masked`),
      headers: packed,
    },
    'an entity of 1 MB, known': {
      ...get(`/users/${user}/entities/${entity}`),
      headers: { 'if-none-match': '"other"' },
    },
    'an entity of 1 MB, written': {
      ...post(`/users/${user}/entities/${entity}`, largeEntity),
      method: 'PUT',
      as: 'steward',
    },
    'the description of the API': { ...get('/openapi.json'), as: 'nobody' },
    'the description of the API, compressed': { ...get('/openapi.json'), headers: packed, as: 'nobody' },
    'the description for people': { ...get('/docs'), headers: packed, as: 'nobody' },
  }
}

/** Requests that are refused. */
export function refused(ids: readonly string[], { user }: Prepared): Readonly<Record<string, Dear>> {
  const [id] = ids
  const large = 'x'.repeat(megabyte - 100)
  return {
    '400: 1 MB that is not JSON': post('/users', `{"name":"${large}`),
    '400: 60 levels of a body': post('/users', '['.repeat(65)),
    '401: no token, 1 MB': { ...post('/users', { name: large }), as: 'nobody' },
    '401: another token': { ...get(`/users/${id}`), as: 'somebody with another token' },
    '401: another token, at once again': {
      ...get(`/users/${id}`),
      as: 'somebody with another token',
      impatient: true,
    },
    '403: a user with 500 properties': post('/users', largeUser),
    '403: the same, at once again': { ...post('/users', largeUser), impatient: true },
    '403: 1 MB to what needs another scope': post('/segments', { name: large }),
    '404: 1 MB to no address': post('/nowhere', { name: large }),
    '404: 1 MB to no user': {
      ...post(`/users/${id?.slice(0, -4)}0000/entities`, largeEntity),
      as: 'steward',
    },
    '405: 1 MB': post('/datatypes', { name: large }),
    '413: nested groups of a filter': post('/users/search', { filter: nested(9) }),
    '413: 1 MB of {} tests': post('/users/search', {
      filter: { entity: 'car', where: many(megabyte / 3 - 20, () => ({})) },
    }),
    '413: 3 MB': post('/users', { name: large.repeat(3) }),
    '415: 1 MB of text': { ...post('/users', large), headers: { 'content-type': 'text/plain' } },
    '415: 1 MB, packed': {
      ...post('/users', { name: large }),
      headers: { 'content-type': json, 'content-encoding': 'gzip' },
    },
    '422: 19,900 tests': post('/users/search', {
      filter: { entity: 'car', where: many(manyValues, () => ({})) },
    }),
    '422: 19,900 groups': post('/segments/preview', {
      filter: { all: many(manyValues, () => ({ all: 1 })) },
    }),
    '422: 19,900 unknown fields': post('/users/search', manyFields),
    '422: the same, at once again': { ...post('/users/search', manyFields), impatient: true },
    '422: unknown fields in 50 tests': post('/users/search', {
      filter: {
        all: many(50, () => ({
          entity: 'car',
          where: [Object.fromEntries(many(390, (at) => [`field${at}`, 1]))],
        })),
      },
    }),
    '422: 6,600 properties': {
      ...post(`/users/${id}/entities`, {
        type: 'car',
        properties: many(6600, (at) => ({ key: `k${at}`, type: 'TEXT' })),
      }),
      as: 'steward',
    },
    '422: 500 properties with faults': {
      ...post(`/users/${id}/entities`, {
        type: 'car',
        properties: many(500, () => ({
          key: '',
          type: 'X',
          a: 1,
          b: 2,
          sensitive: 3,
          value: large.slice(0, 1900),
        })),
      }),
      as: 'steward',
    },
    '422: 500 properties with faults in their values': {
      ...post(`/users/${id}/entities`, {
        type: 'car',
        properties: many(500, (at) => ({ key: `k${at}`, type: 'DECIMAL', value: large.slice(0, 1900) })),
      }),
      as: 'steward',
    },
    '422: 1 MB of escapes': post('/users', { name: '\u0001'.repeat(170_000) }),
    '422: 1 MB of a user that is full': { ...post(`/users/${user}/entities`, largeEntity), as: 'steward' },
    '429: a user, at once again': { ...get(`/users/${id}`), impatient: true },
    '429: 1 MB, at once again': { ...post('/users/search', { q: large }), impatient: true },
    '431: 20 KB of headers': { ...get(`/users/${id}`), headers: { 'x-large': large.slice(0, 20_000) } },
    '15 KB of headers': { ...get(`/users/${id}`), headers: { 'x-large': large.slice(0, 15_000) } },
    'slow bodies': { ...post('/users', { name: large.slice(0, 1000) }), slow: true },
    'OPTIONS, at once again': { method: 'OPTIONS', path: '/api/users', as: 'nobody', impatient: true },
  }
}

const get = (path: string) => ({ path: `/api${path}` })
const post = (path: string, body: string | object) => ({ method: 'POST', path: `/api${path}`, body }) as const
