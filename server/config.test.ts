import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { type Config, readConfig, readStoreConfig } from './config.ts'
import { SettingsError } from './sealing/master-keys.ts'

type Environment = Record<string, string>

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'data-store-settings-'))
})
afterAll(() => rm(folder, { recursive: true }))

const read = (environment: Environment) => readConfig({ DATA_DIR: folder, ...environment })

/** Returns the errors in the settings, one per line; empty if there are none. */
function refusalsOf(environment: Environment, reading: (given: Environment) => unknown = read): string[] {
  try {
    reading(environment)
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError)
    return (error as SettingsError).message.split('\n')
  }
}

const newKey = () => randomBytes(32).toString('base64')
const spelled = (fill: (at: number) => number) =>
  Buffer.from(Array.from({ length: 32 }, (_none, at) => fill(at))).toString('base64')

/** A public service with all the settings that it requires. */
const production = {
  HOST: '0.0.0.0',
  BASE_URL: 'https://data.example.org/api',
  CONSOLE_URL: 'https://data.example.org/',
  OIDC_ISSUER: 'https://login.example.org',
  DATABASE_URL: 'postgresql://store@db.example.org/store?sslmode=verify-full',
  ENCRYPTION_KEYS: `k1:${newKey()}`,
}

describe('a setting', () => {
  type Row = readonly [
    name: string,
    of: (config: Config) => unknown,
    preset: unknown,
    accepted: Record<string, unknown>,
    refused: readonly string[],
    why: string,
  ]
  const addresses = ['nonsense', '/api', 'ftp://localhost', 'http://localhost/?a', 'http://localhost/#a']
  const key = newKey()
  const two = [newKey(), newKey()]
  const asKey = (id: string, encoded: string) => ({ id, key: Buffer.from(encoded, 'base64') })
  test.each<Row>([
    [
      'PORT',
      ({ port }) => port,
      8080,
      { '1': 1, '65535': 65_535 },
      ['0', '65536', '-1', '80.5', '0x50', '8e3', 'http', ' '],
      'must be a port number, 1 to 65535',
    ],
    [
      'METRICS_PORT',
      ({ metricsPort }) => metricsPort,
      undefined,
      { '9090': 9090 },
      ['0', '65536', 'x'],
      'must be a port number, 1 to 65535',
    ],
    ['HOST', ({ host }) => host, '127.0.0.1', { '::1': '::1', localhost: 'localhost' }, [], ''],
    [
      'BASE_URL',
      ({ baseUrl }) => baseUrl,
      undefined,
      {
        'http://localhost:8080/api/': 'http://localhost:8080/api',
        'http://127.0.0.1/a': 'http://127.0.0.1/a',
      },
      addresses,
      'must ',
    ],
    [
      'CONSOLE_URL',
      ({ consoleUrl }) => consoleUrl,
      'http://localhost:8080/',
      {
        'http://localhost/console': 'http://localhost/console/',
        'https://[::1]:8443/': 'https://[::1]:8443/',
      },
      addresses,
      'must ',
    ],
    [
      'OIDC_ISSUER',
      ({ identity }) => [identity.issuer, identity.embedded],
      ['http://localhost:8080/oidc', true],
      { 'https://login.example.org/': ['https://login.example.org/', false] },
      [...addresses, 'https://user:secret@login.example.org'],
      'must ',
    ],
    ['OIDC_AUDIENCE', ({ identity }) => identity.audience, 'urn:data-store', { api: 'api' }, [], ''],
    ['OIDC_CLIENT_ID', ({ identity }) => identity.clientId, 'data-store-console', { c: 'c' }, [], ''],
    [
      'OIDC_ROLE_CLAIM',
      ({ identity }) => identity.roleClaim,
      'role',
      { groups: 'groups', '/resource_access/data.store/a~1b~0c': '/resource_access/data.store/a~1b~0c' },
      ['/a~', '/a~2b', '/~'],
      'must be a claim, a path such as realm_access.roles, or a JSON pointer',
    ],
    [
      'OIDC_SCOPE',
      ({ identity }) => identity.scope,
      'openid profile offline_access roles',
      { 'openid api://data-store/all': 'openid api://data-store/all' },
      ['profile', 'openid,profile'],
      'must name openid',
    ],
    [
      'ROLE_MAP',
      ({ identity }) => identity.roleMap,
      undefined,
      {
        'ds-admin=admin': { 'ds-admin': 'admin' },
        'Data Admins = admin, /data/help=support,a=b=steward': {
          'Data Admins': 'admin',
          '/data/help': 'support',
          'a=b': 'steward',
        },
        'CN=DS Admins\\,OU=Groups\\,DC=example = admin, CN=Help=support': {
          'CN=DS Admins,OU=Groups,DC=example': 'admin',
          'CN=Help': 'support',
        },
        // A comma escaped by the directory itself, and a Windows domain: a single backslash before any other character
        // is kept.
        'CN=Help\\\\\\, first\\,DC=a=support,ACME\\Data Admins=admin': {
          'CN=Help\\, first,DC=a': 'support',
          'ACME\\Data Admins': 'admin',
        },
        'a=admin\\,b=admin': { 'a=admin,b': 'admin' },
        'a\\=admin=support,\\=b=steward,c\\\\=admin': {
          'a=admin': 'support',
          '=b': 'steward',
          'c\\': 'admin',
        },
        '__proto__=admin': Object.fromEntries([['__proto__', 'admin']]),
      },
      ['admin', 'ds-admin=boss', '=admin', 'a=admin,', 'a=toString', 'a\\=admin', 'a=admin\\', 'a=ad\\min'],
      'must be a list of name=role, each role one of support, steward, integrator, admin',
    ],
    [
      'ROLE_MAP',
      ({ identity }) => identity.roleMap,
      undefined,
      {},
      ['a=admin,a=support', 'a\\,b=admin,a\\,b=admin'],
      'must give each',
    ],
    [
      'OIDC_ROLES_FROM',
      ({ identity }) => identity.rolesFrom,
      'token',
      { userinfo: 'userinfo' },
      ['id_token'],
      'must be one of token, userinfo',
    ],
    [
      'DEFAULT_ROLE',
      ({ identity }) => identity.defaultRole,
      undefined,
      { support: 'support', admin: 'admin' },
      ['boss', 'Admin'],
      'must be one of support, steward, integrator, admin',
    ],
    [
      'TOKEN_LIFETIME',
      ({ identity }) => identity.tokenLifetimeHours,
      24,
      { '1': 1, '720': 720 },
      ['0', '721', '1.5', 'P1D'],
      'must be a number of hours, 1 to 720',
    ],
    [
      'CLOCK_TOLERANCE',
      ({ identity }) => identity.clockToleranceS,
      60,
      { '0': 0, '300': 300 },
      ['-1', '301', '60s'],
      'must be a number of seconds, 0 to 300',
    ],
    [
      'DATABASE_WAIT',
      ({ waitSeconds }) => waitSeconds,
      60,
      { '0': 0, '86400': 86_400 },
      ['-1', '86401', 'long'],
      'must be a number of seconds, 0 to 86400',
    ],
    [
      'SHUTDOWN_DELAY',
      ({ shutdownDelaySeconds }) => shutdownDelaySeconds,
      0,
      { '0': 0, '300': 300 },
      ['-1', '301', '5s'],
      'must be a number of seconds, 0 to 300',
    ],
    [
      'CORS_ORIGINS',
      ({ corsOrigins }) => corsOrigins,
      [],
      {
        'https://a.example': ['https://a.example'],
        'https://a.example, http://localhost:1': ['https://a.example', 'http://localhost:1'],
      },
      ['*', 'https://a.example *', 'null', 'a.example', 'https://a.example/', 'https://a.example/path'],
      'must be a list of origins, each as https://console.example.org; "*" for all of them is not taken',
    ],
    [
      'ENCRYPTION_KEYS',
      ({ keys }) => keys,
      undefined,
      {
        [`k1:${key}`]: [asKey('k1', key)],
        [`k2:${two[0]},  k1:${two[1]}`]: [asKey('k2', two[0] ?? ''), asKey('k1', two[1] ?? '')],
      },
      ['k1', 'k1:', `:${key}`, key, 'k1:AAAA', `k1:${key} k2:AAAA`, ',', `k1:${two[0]} k1:${two[1]}`],
      'must ',
    ],
    [
      'INVITE_URL',
      ({ inviteUrl }) => inviteUrl,
      'https://example.org/invitation',
      { 'https://a.example/join': 'https://a.example/join' },
      addresses,
      'must ',
    ],
    [
      'SAMPLE_DATA',
      ({ sampleUsers }) => sampleUsers,
      2000,
      { '0': 0, '1000000': 1_000_000 },
      ['-1', '1000001', 'many', '1.5'],
      'must be a number of users, 0 to 1000000',
    ],
    [
      'WEBHOOK_ALLOW_LOOPBACK',
      ({ allowLoopback }) => allowLoopback,
      false,
      { true: true, false: false },
      ['yes', '1', 'TRUE'],
      'must be one of true, false',
    ],
    [
      'LOG_LEVEL',
      ({ logLevel }) => logLevel,
      'info',
      { silent: 'silent', error: 'error', warn: 'warn' },
      ['loud', 'debug', 'INFO'],
      'must be one of silent, error, warn, info',
    ],
    [
      'KEEP_TRIES',
      ({ keep }) => keep.attempts,
      30,
      { '7': 7, '3650': 3650 },
      ['0', '6', '3651', '30d'],
      'must be a number of days, 7 to 3650',
    ],
    [
      'KEEP_DELIVERIES',
      ({ keep }) => keep.deliveries,
      90,
      { '7': 7, '3650': 3650 },
      ['0', '6', '3651', 'all'],
      'must be a number of days, 7 to 3650',
    ],
    [
      'RATE_LIMIT',
      ({ rateLimit }) => rateLimit,
      100,
      { '0': 0, '1000000': 1_000_000 },
      ['-1', '1000001', 'none'],
      'must be a number of requests, 0 to 1000000',
    ],
    [
      'SENSITIVE_READS',
      ({ sensitiveReads }) => sensitiveReads,
      'values',
      { values: 'values', reveal: 'reveal' },
      ['none'],
      'must be one of values, reveal',
    ],
    [
      'CHANGE_REASONS',
      ({ changeReasons }) => changeReasons,
      'optional',
      { optional: 'optional', required: 'required' },
      ['true'],
      'must be one of optional, required',
    ],
    [
      'ADDITIONS',
      ({ additions }) => additions,
      'all',
      { none: 'none', all: 'all' },
      ['some'],
      'must be one of all, none',
    ],
    [
      'SESSION',
      ({ session }) => session,
      'tab',
      { tab: 'tab', memory: 'memory' },
      ['cookie', 'TAB'],
      'must be one of tab, memory',
    ],
    [
      'DATABASE_URL',
      ({ store }) => store,
      { dataDir: expect.stringContaining('data-store-settings-') },
      {
        'postgres://u@localhost/a': { databaseUrl: 'postgres://u@localhost/a' },
        'postgresql://u@[::1]/a': { databaseUrl: 'postgresql://u@[::1]/a' },
        'postgresql://u:p@/a?host=/var/run/postgresql': {
          databaseUrl: 'postgresql://u:p@/a?host=/var/run/postgresql',
        },
        'postgresql://u@/a': { databaseUrl: 'postgresql://u@/a' },
        'postgresql:///a?host=/tmp&port=5433': { databaseUrl: 'postgresql:///a?host=/tmp&port=5433' },
        'postgresql://u@%2Frun%2Fpg:5433/a': { databaseUrl: 'postgresql://u@%2Frun%2Fpg:5433/a' },
        'postgresql://u@localhost/a?sslmode=disable': {
          databaseUrl: 'postgresql://u@localhost/a?sslmode=disable',
        },
      },
      ['mysql://localhost/a', 'localhost:5432', '/var/run', 'host=/var/run dbname=a', 'https://u@/a'],
      'must be a postgresql:// address',
    ],
    [
      'DATABASE_URL',
      ({ store }) => 'dataDir' in store,
      true,
      {},
      [
        'postgresql://u:secret@localhost:5432,127.0.0.1:5432/a',
        'postgresql:///a?host=/tmp,/run',
        'postgresql://u:secret@[::1]:5432,[::2]:5432/a',
      ],
      'must name one host: the address that leads to the primary',
    ],
    [
      'DATABASE_URL',
      ({ store }) => 'dataDir' in store,
      true,
      {},
      ['postgresql://localhost/a?sslmode=verify_full', 'postgresql://localhost/a?sslmode=off'],
      'must have an sslmode of disable, allow, prefer, require, verify-ca, verify-full, no-verify',
    ],
    [
      'DATABASE_TLS',
      ({ store }) => 'dataDir' in store,
      true,
      { required: true, off: true },
      ['none', 'on', 'true'],
      'must be one of required, off',
    ],
  ])('%s has its default, and refuses with one sentence', (name, of, preset, accepted, refused, why) => {
    const rest: Environment = name === 'DATABASE_URL' ? { ENCRYPTION_KEYS: `k1:${key}` } : {}
    expect(of(read(rest))).toEqual(preset)
    // Compose files represent an unset variable as an empty one.
    expect(of(read({ ...rest, [name]: '' }))).toEqual(preset)
    for (const [value, meaning] of Object.entries(accepted))
      expect(of(read({ ...rest, [name]: value }))).toEqual(meaning)
    for (const value of refused) {
      const lines = refusalsOf({ ...rest, [name]: value })
      expect(lines).not.toEqual([])
      for (const line of lines) {
        expect(line).toMatch(/^[A-Z_]+(\.\d+)?: must /)
        expect(line).toContain(`: ${why}`)
        expect(line.startsWith(name)).toBe(true)
        expect(line).not.toContain('secret')
      }
    }
  })

  test('DATA_DIR is ./data', () => {
    expect(readConfig({}).dataDir).toBe('./data')
    expect(readConfig({ DATA_DIR: folder }).store).toEqual({ dataDir: folder })
  })

  test('that wants reasons of a service without them is refused, whatever else is wrong', () => {
    const wanted = { CHANGE_REASONS: 'required', ADDITIONS: 'none' }
    expect(refusalsOf(wanted)).toEqual([
      expect.stringMatching(/^CHANGE_REASONS: required needs ADDITIONS=all; /),
    ])
    expect(refusalsOf({ ...wanted, PORT: 'x' })).toHaveLength(2)
    expect(readConfig({ ...wanted, ADDITIONS: 'all' }).changeReasons).toBe('required')
  })

  test('that has the metrics where everybody asks is refused', () => {
    for (const given of [{ METRICS_PORT: '8080' }, { PORT: '81', METRICS_PORT: '81' }])
      expect(refusalsOf(given)).toEqual([expect.stringMatching(/^METRICS_PORT: must not be PORT: /)])
    expect(readConfig({ PORT: '81', METRICS_PORT: '8080' }).metricsPort).toBe(8080)
  })

  test('that is wrong does not hide another one: all are listed at once', () => {
    const refusals = refusalsOf({
      PORT: 'x',
      BASE_URL: 'x',
      CORS_ORIGINS: 'x',
      LOG_LEVEL: 'x',
      TOKEN_LIFETIME: 'x',
      DATABASE_URL: 'postgresql://db.example.org/a',
      DEFAULT_ROLE: 'admin',
      HOST: '0.0.0.0',
    }).join('\n')
    for (const name of ['PORT', 'BASE_URL', 'CORS_ORIGINS', 'LOG_LEVEL', 'TOKEN_LIFETIME', 'DEFAULT_ROLE'])
      expect(refusals).toMatch(new RegExp(`^${name}: must `, 'm'))
    for (const name of ['ENCRYPTION_KEYS', 'OIDC_ISSUER'])
      expect(refusals).toMatch(new RegExp(`^${name}: is required`, 'm'))
  })
})

describe('the development sign-in', () => {
  test.each<Environment>([
    {},
    { NODE_ENV: 'development' },
    { NODE_ENV: 'test', HOST: '127.0.0.2', CONSOLE_URL: 'http://127.0.0.1:8080/', PORT: '1' },
    { HOST: '::1', BASE_URL: 'http://[::1]:8080/api', CONSOLE_URL: 'http://LOCALHOST:8080/' },
    { HOST: 'localhost', CONSOLE_URL: 'http://store.localhost/' },
    { DATABASE_URL: 'postgresql://u@localhost/a' },
    { DATABASE_URL: 'postgresql://u@127.0.0.1:5432/a' },
    { DATABASE_URL: 'postgresql:///a' },
    { DATABASE_URL: 'postgresql://u@%2Fvar%2Frun%2Fpostgresql/a' },
    { DATABASE_URL: 'postgresql://u@db.example.org/a?host=/var/run/postgresql' },
    { DATABASE_URL: 'postgresql://u@/a?host=/var/run/postgresql', PGHOST: 'db.example.org' },
    { DATABASE_URL: 'postgresql://u@/a' },
  ])('runs where everything is on this machine: %j', (given) => {
    const { identity, environment } = read({
      ...given,
      ...(given.DATABASE_URL && { ENCRYPTION_KEYS: `k1:${newKey()}` }),
    })
    expect(identity.embedded).toBe(true)
    expect(environment.name).toBe('Development')
  })

  test.each<[Environment, string]>([
    [{ NODE_ENV: 'production' }, 'NODE_ENV'],
    [{ NODE_ENV: 'prod' }, 'NODE_ENV'],
    [{ NODE_ENV: 'Production' }, 'NODE_ENV'],
    [{ NODE_ENV: 'staging' }, 'NODE_ENV'],
    [{ HOST: '0.0.0.0' }, 'HOST'],
    [{ HOST: '::' }, 'HOST'],
    [{ HOST: '192.168.1.10', NODE_ENV: 'development' }, 'HOST'],
    [{ HOST: 'store.example.org' }, 'HOST'],
    [{ HOST: 'localhost.example.org' }, 'HOST'],
    [{ CONSOLE_URL: 'https://store.example.org/' }, 'CONSOLE_URL'],
    [{ CONSOLE_URL: 'http://127.0.0.1.example.org/' }, 'CONSOLE_URL'],
    [{ BASE_URL: 'https://store.example.org/api' }, 'BASE_URL'],
    [{ BASE_URL: 'http://10.0.0.1/api' }, 'BASE_URL'],
    [{ DATABASE_URL: 'postgresql://u@db.example.org/a' }, 'DATABASE_URL'],
    [{ DATABASE_URL: 'postgresql://u@localhost/a?host=db.example.org' }, 'DATABASE_URL'],
    [{ DATABASE_URL: 'postgresql://u@/a?host=db.example.org' }, 'DATABASE_URL'],
    [{ DATABASE_URL: 'postgresql://u@/a', PGHOST: 'db.example.org' }, 'DATABASE_URL'],
    [{ DATABASE_URL: 'postgresql://u@localhost/a?host=localhost&host=10.0.0.1' }, 'DATABASE_URL'],
    [{ DATABASE_URL: 'postgresql:///a', PGHOST: 'db.example.org' }, 'DATABASE_URL'],
  ])('does not start anywhere else: %j', (given, name) => {
    const refusals = refusalsOf({
      ...(given.DATABASE_URL && { ENCRYPTION_KEYS: `k1:${newKey()}` }),
      ...given,
    })
    expect(refusals).toContainEqual(expect.stringMatching(/^OIDC_ISSUER: is required; .*published passwords/))
    expect(refusals.at(-1)).toMatch(new RegExp(`^\\(This counts as production, since ${name} is `))
  })

  test('is refused by the process itself, with a sentence for each reason and nothing else', async () => {
    const main = path.join(import.meta.dirname, 'main.ts')
    const environment = { HOST: '0.0.0.0', DATABASE_URL: 'postgresql://u:secret@db.example.org/a' }
    const ended = await promisify(execFile)(process.execPath, [main], {
      env: { PATH: process.env['PATH'], NODE_ENV: 'prod', DATA_DIR: folder, ...environment },
    }).catch((error: { code: number; stdout: string; stderr: string }) => error)
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    const [first, ...lines] = ended.stderr.trimEnd().split('\n')
    expect(first).toBe('The settings are not usable:')
    expect(lines.map((line) => line.split(':')[0])).toEqual([
      'ENCRYPTION_KEYS',
      'OIDC_ISSUER',
      'BASE_URL',
      'DATABASE_URL',
      '(This counts as production, since NODE_ENV is neither development nor test, HOST is not a loopback address, DATABASE_URL is not on localhost.)',
    ])
    expect(ended.stderr).not.toContain('secret')
  })
})

describe('production', () => {
  test('starts with what it has to have, and says in its badge what it is', () => {
    const { identity, environment } = read(production)
    expect(identity).toMatchObject({ issuer: 'https://login.example.org', embedded: false })
    expect(environment.name).toBe('Production')
    expect(
      read({ ...production, DEFAULT_ROLE: 'support', WEBHOOK_ALLOW_LOOPBACK: 'false' }).identity.defaultRole,
    ).toBe('support')
  })

  test('has its API beside an https console where nothing else is said', () => {
    const { BASE_URL: _base, ...rest } = production
    expect(read(rest).baseUrl).toBe('https://data.example.org/api')
    expect(read({ ...rest, CONSOLE_URL: 'https://data.example.org:8443/console' }).baseUrl).toBe(
      'https://data.example.org:8443/api',
    )
    expect(read({ CONSOLE_URL: 'https://localhost:8443/' }).baseUrl).toBe('https://localhost:8443/api')
    expect(read({ CONSOLE_URL: 'http://localhost:8090/' }).baseUrl).toBeUndefined()
  })

  test('needs an address of its own beside a console on plain http', () => {
    const given = { ...production, BASE_URL: '', CONSOLE_URL: 'http://data.example.org/' }
    expect(refusalsOf(given).join('\n')).toMatch(/^BASE_URL: is required, or an https CONSOLE_URL/m)
  })

  test('makes no sample data, unless it is asked to', () => {
    const { DATABASE_URL: _database, ...embedded } = production
    expect(read(embedded).sampleUsers).toBe(0)
    expect(read({ NODE_ENV: 'production', ...embedded, HOST: '' }).sampleUsers).toBe(0)
    expect(read({ ...embedded, SAMPLE_DATA: '50' }).sampleUsers).toBe(50)
  })

  const sound = newKey()
  test.each<[string, Environment, RegExp]>([
    ['no issuer', { OIDC_ISSUER: '' }, /^OIDC_ISSUER: is required/],
    ['an http issuer', { OIDC_ISSUER: 'http://login.example.org' }, /^OIDC_ISSUER: must be https/],
    ['an http issuer here', { OIDC_ISSUER: 'HTTP://localhost:8081' }, /^OIDC_ISSUER: must be https/],
    ['no base address', { BASE_URL: '', CONSOLE_URL: '' }, /^BASE_URL: is required, or an https CONSOLE_URL/],
    ['an http base address', { BASE_URL: 'http://data.example.org/api' }, /^BASE_URL: must be https/],
    ['an http console', { CONSOLE_URL: 'http://data.example.org/' }, /^CONSOLE_URL: must be https/],
    [
      'another http console',
      { CORS_ORIGINS: 'https://a.example,http://b.example' },
      /^CORS_ORIGINS: must be https/,
    ],
    ['http invitations', { INVITE_URL: 'http://example.org/join' }, /^INVITE_URL: must be https/],
    ['webhooks to itself', { WEBHOOK_ALLOW_LOOPBACK: 'true' }, /^WEBHOOK_ALLOW_LOOPBACK: must not be true/],
    ['administrators by default', { DEFAULT_ROLE: 'admin' }, /^DEFAULT_ROLE: must not be admin/],
    ['a zero key', { ENCRYPTION_KEYS: `k1:${spelled(() => 0)}` }, /^ENCRYPTION_KEYS: "k1" is not random/],
    [
      'a key that repeats itself',
      {
        ENCRYPTION_KEYS: `k1:${Buffer.concat([randomBytes(16)].flatMap((half) => [half, half])).toString('base64')}`,
      },
      /^ENCRYPTION_KEYS: "k1" is not random/,
    ],
    [
      'a key that counts',
      { ENCRYPTION_KEYS: `k1:${spelled((at) => 250 + at)}` },
      /^ENCRYPTION_KEYS: "k1" is not random/,
    ],
    [
      'a key of letters',
      {
        ENCRYPTION_KEYS: `k1:${Buffer.from('correct horse battery staple 12345').subarray(0, 32).toString('base64')}`,
      },
      /^ENCRYPTION_KEYS: "k1" is not random/,
    ],
    [
      'a weak key behind a sound one',
      { ENCRYPTION_KEYS: `k2:${sound} k1:${spelled(() => 0)}` },
      /^ENCRYPTION_KEYS: "k1" is not random/,
    ],
    [
      'one key under two ids',
      { ENCRYPTION_KEYS: `k2:${sound} k1:${sound}` },
      /^ENCRYPTION_KEYS: "k2" and "k1" are the same key/,
    ],
  ])('refuses %s, here or at any address', (_what, given, sentence) => {
    const refusals = refusalsOf({ ...production, ...given })
    expect(refusals).toHaveLength(2)
    expect(refusals[0]).toMatch(sentence)
    expect(refusals.join()).not.toContain(sound)
    // NODE_ENV=production alone requires the same, even if every address is local.
    const { HOST: _host, DATABASE_URL: _database, ...local } = production
    const here = { BASE_URL: 'https://localhost/api', CONSOLE_URL: 'https://localhost/' }
    expect(refusalsOf({ ...local, ...here, NODE_ENV: 'production', ...given })[0]).toMatch(sentence)
  })

  test.each<[string, Environment?]>([
    ['postgresql://u:secret@db.example.org/a'],
    ['postgresql://u:secret@db.example.org/a?sslmode=disable'],
    ['postgresql://u:secret@db.example.org/a?sslmode=disable&ssl=true'],
    ['postgresql://u:secret@db.example.org/a?sslmode='],
    ['postgresql://u:secret@db.example.org/a?ssl=0'],
    ['postgresql://u:secret@db.example.org/a?ssl=false'],
    ['postgresql://u:secret@db.example.org/a?ssl=0', { PGSSLMODE: 'require' }],
    ['postgresql://u:secret@db.example.org/a', { PGSSLMODE: 'disable' }],
    ['postgresql://u:secret@db.example.org/a', { PGSSLMODE: 'allow' }],
    ['postgresql://u:secret@10.0.0.1/a'],
    ['postgresql://u:secret@localhost/a?host=db.example.org'],
    ['postgresql://u:secret@/a?host=db.example.org'],
    ['postgresql://u:secret@/a', { PGHOST: 'db.example.org' }],
    ['postgresql://u:secret@db.example.org/a?sslmode=verify-full&sslmode=disable'],
  ])('refuses a database beyond this machine without TLS: %s %j', (DATABASE_URL, more = {}) => {
    for (const reading of [readConfig, readStoreConfig]) {
      const refusals = refusalsOf({ ...production, ...more, DATABASE_URL }, reading)
      expect(refusals[0]).toMatch(/^DATABASE_URL: must ask for TLS .*sslmode=verify-full/)
      expect(refusals.join()).not.toContain('secret')
      expect(refusalsOf({ ...production, ...more, DATABASE_URL, DATABASE_TLS: 'off' }, reading)).toEqual([])
    }
  })

  test.each<[string, Environment?]>([
    ['postgresql://u@db.example.org/a?sslmode=verify-full'],
    ['postgresql://u@db.example.org/a?sslmode=disable&sslmode=require'],
    ['postgresql://u@db.example.org/a?sslmode=no-verify'],
    ['postgresql://u@db.example.org/a?ssl=true'],
    ['postgresql://u@db.example.org/a?sslrootcert=/ca.pem'],
    ['postgresql://u@db.example.org/a?sslnegotiation=direct'],
    ['postgresql://u@db.example.org/a', { PGSSLMODE: 'verify-full' }],
    ['postgresql://u@127.0.0.1/a'],
    ['postgresql://u@/a?host=/var/run/postgresql'],
  ])('takes a database that is asked for TLS, or on this machine: %s %j', (DATABASE_URL, more = {}) => {
    expect(refusalsOf({ ...production, ...more, DATABASE_URL })).toEqual([])
  })

  test.each([
    'postgresql://u:secret@a.example:5432,b.example:5432/a?sslmode=verify-full',
    'postgresql://u:secret@a.example,b.example/a?target_session_attrs=read-write&sslmode=require',
    'postgresql://u@/a?host=a.example,b.example&sslmode=require',
    'postgresql://a%2Cb/a?sslmode=require',
  ])('refuses several hosts of a database: %s', (DATABASE_URL) => {
    expect(refusalsOf({ ...production, DATABASE_URL })[0]).toMatch(/^DATABASE_URL: must name one host: /)
  })

  test('takes every random key', () => {
    for (let n = 0; n < 2000; n++)
      expect(refusalsOf({ ...production, ENCRYPTION_KEYS: `k1:${newKey()}` })).toEqual([])
  })
})

describe('a command that works on the store alone', () => {
  const { DATABASE_URL, ENCRYPTION_KEYS } = production
  const weak = spelled(() => 0)
  const sound = newKey()

  test('needs nothing but the store and its keys', () => {
    expect(readStoreConfig({ DATABASE_URL, ENCRYPTION_KEYS, PORT: 'x', NODE_ENV: 'production' })).toEqual({
      store: { databaseUrl: DATABASE_URL },
      keys: [{ id: 'k1', key: expect.any(Buffer) }],
    })
    expect(readStoreConfig({ DATA_DIR: folder }).store).toEqual({ dataDir: folder })
    expect(refusalsOf({ DATABASE_URL }, readStoreConfig)).toEqual([
      expect.stringMatching(/^ENCRYPTION_KEYS: is required/),
    ])
  })

  test('takes a weak or repeated key behind a sound one, to do away with it, and not in front', () => {
    const refused = (keys: string) =>
      refusalsOf({ DATABASE_URL, ENCRYPTION_KEYS: keys }, readStoreConfig).slice(0, 1)
    expect(refused(`k2:${sound} k1:${weak}`)).toEqual([])
    expect(refused(`k3:${newKey()} k2:${sound} k1:${sound}`)).toEqual([])
    expect(refused(`k1:${weak}`)).toEqual([expect.stringMatching(/"k1" is not random/)])
    expect(refused(`k2:${sound} k1:${sound}`)).toEqual([expect.stringMatching(/are the same key/)])
  })
})
