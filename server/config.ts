import * as z from 'zod'

import { type Role, roles } from '#contract/index.ts'
import { faultOfDatabaseUrl } from './database-url.ts'
import { explainProduction, databaseFaults, productionFaults, reachOf } from './production.ts'
import { readRoleMap } from './role-map.ts'
import {
  faultsOfKeys,
  type MasterKey,
  type MasterKeys,
  readKey,
  SettingsError,
} from './sealing/master-keys.ts'
import { address, oneOf, origin, wholeNumber } from './setting.ts'

/** All validated settings of the service. See docs/operations.md. */
export interface Config {
  readonly port: number
  /** Port of the Prometheus metrics; undefined if there are none. */
  readonly metricsPort: number | undefined
  readonly host: string
  /**
   * Public address of the API without a trailing slash; defaults to `/api` on the console's origin if that is https.
   * undefined: the origin of the request, plus `/api`.
   */
  readonly baseUrl: string | undefined
  /** Public address of the console, ending in a slash; its path is where the console is served. */
  readonly consoleUrl: string
  readonly store: { readonly dataDir: string } | { readonly databaseUrl: string }
  /** Seconds to wait at startup for PostgreSQL to become available. */
  readonly waitSeconds: number
  /**
   * Seconds for which requests are still accepted after a shutdown signal, so that a proxy can route them elsewhere.
   */
  readonly shutdownDelaySeconds: number
  readonly dataDir: string
  readonly identity: {
    readonly issuer: string
    readonly audience: string
    readonly clientId: string
    /** Scopes that the console requests from the issuer. */
    readonly scope: string
    readonly roleClaim: string
    readonly roleMap: Readonly<Record<string, Role>> | undefined
    /** `userinfo`: roles that a token does not contain are requested from the issuer. */
    readonly rolesFrom: 'token' | 'userinfo'
    readonly defaultRole: Role | undefined
    /** Maximum lifetime of a token; longer-lived ones are refused. */
    readonly tokenLifetimeHours: number
    /** Tolerated difference between the issuer's clock and the local one. */
    readonly clockToleranceS: number
    /** Whether the development sign-in runs inside this process. */
    readonly embedded: boolean
  }
  readonly corsOrigins: readonly string[]
  /** Master keys; undefined for an embedded store with its own key file, see key-file.ts. */
  readonly keys: MasterKeys | undefined
  readonly inviteUrl: string
  /** Number of sample users to create in a new embedded store. */
  readonly sampleUsers: number
  readonly logLevel: (typeof logLevels)[number]
  /** Whether webhooks may target this machine, even over http. */
  readonly allowLoopback: boolean
  /** Days for which delivery attempts and finished deliveries are kept. */
  readonly keep: { readonly attempts: number; readonly deliveries: number }
  /** Requests per second for each caller; 0 means unlimited. */
  readonly rateLimit: number
  /** `none` serves only what the API document describes, for tests and strict clients. */
  readonly additions: 'all' | 'none'
  /** `reveal`: reads mask sensitive values for everybody, so that naming a reason is the only way to see them. */
  readonly sensitiveReads: 'values' | 'reveal'
  /** Whether changes to existing users require a reason. */
  readonly changeReasons: 'optional' | 'required'
  /** Whether digests of the e-mail and ref of a deleted user are kept with the deletion. */
  readonly erasureDigests: 'kept' | 'none'
  /** Storage of the console's session: the tab's own storage, or memory alone. */
  readonly session: 'tab' | 'memory'
  /** Badge that the console shows. */
  readonly environment: { readonly name: string; readonly colour: string }
}

const logLevels = ['silent', 'error', 'warn', 'info'] as const
/** Settings that the store's commands also need. */
const storeSettings = z.object({
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z
    .string()
    .superRefine((url, context) => {
      const fault = faultOfDatabaseUrl(url)
      if (fault !== undefined) context.addIssue(fault)
    })
    .optional(),
  DATABASE_TLS: oneOf(['required', 'off']).default('required'),
  ENCRYPTION_KEYS: z
    .string()
    .transform((list, context) => {
      const keys = list
        .split(/[\s,]+/)
        .filter(Boolean)
        .map(readKey)
      if (keys.length === 0 || keys.includes(undefined))
        context.addIssue('must be a list of id:key, each key 32 bytes in base64 (openssl rand -base64 32)')
      const ids = keys.map((key) => key?.id)
      if (new Set(ids).size < ids.length) context.addIssue('must give each key an id of its own')
      return keys.filter((key) => key !== undefined)
    })
    .optional(),
})

const serviceSettings = storeSettings.extend({
  PORT: wholeNumber('a port number', 1, 65_535).default(8080),
  METRICS_PORT: wholeNumber('a port number', 1, 65_535).optional(),
  HOST: z.string().default('127.0.0.1'),
  BASE_URL: address.optional(),
  CONSOLE_URL: address.optional(),
  DATABASE_WAIT: wholeNumber('a number of seconds', 0, 86_400).default(60),
  SHUTDOWN_DELAY: wholeNumber('a number of seconds', 0, 300).optional(),
  OIDC_ISSUER: address.optional(),
  OIDC_AUDIENCE: z.string().default('urn:data-store'),
  OIDC_CLIENT_ID: z.string().default('data-store-console'),
  OIDC_SCOPE: z
    .string()
    .refine((text) => text.split(' ').includes('openid'), 'must name openid, and others behind a space each')
    .default('openid profile offline_access roles'),
  OIDC_ROLE_CLAIM: z
    .string()
    .refine(
      (text) => !/^\/.*~(?![01])/s.test(text),
      'must be a claim, a path such as realm_access.roles, or a JSON pointer, in which ~ is written ~0 and / in a name ~1',
    )
    .default('role'),
  ROLE_MAP: z.string().transform(readRoleMap).optional(),
  OIDC_ROLES_FROM: oneOf(['token', 'userinfo']).default('token'),
  DEFAULT_ROLE: oneOf(roles).optional(),
  TOKEN_LIFETIME: wholeNumber('a number of hours', 1, 720).default(24),
  CLOCK_TOLERANCE: wholeNumber('a number of seconds', 0, 300).default(60),
  CORS_ORIGINS: z
    .string()
    .transform((list) => list.split(/[\s,]+/).filter(Boolean))
    .refine(
      (list) => list.every((each) => origin.safeParse(each).success),
      'must be a list of origins, each as https://console.example.org; "*" for all of them is not taken',
    )
    .default([]),
  INVITE_URL: address.default('https://example.org/invitation'),
  SAMPLE_DATA: wholeNumber('a number of users', 0, 1_000_000).optional(),
  WEBHOOK_ALLOW_LOOPBACK: oneOf(['true', 'false']).default('false'),
  KEEP_TRIES: wholeNumber('a number of days', 7, 3650).default(30),
  KEEP_DELIVERIES: wholeNumber('a number of days', 7, 3650).default(90),
  LOG_LEVEL: oneOf(logLevels).default('info'),
  RATE_LIMIT: wholeNumber('a number of requests', 0, 1_000_000).default(100),
  SENSITIVE_READS: oneOf(['values', 'reveal']).default('values'),
  CHANGE_REASONS: oneOf(['optional', 'required']).default('optional'),
  ERASURE_DIGESTS: oneOf(['kept', 'none']).default('kept'),
  ADDITIONS: oneOf(['all', 'none']).default('all'),
  SESSION: oneOf(['tab', 'memory']).default('tab'),
})

const noReasons = 'CHANGE_REASONS: required needs ADDITIONS=all; the bare document has no reasons'

const samePort =
  'METRICS_PORT: must not be PORT: the metrics need no token, so not everyone who reaches the service may read them'

type Environment = Readonly<Record<string, string | undefined>>

/** Reads and checks the settings; throws a SettingsError that lists everything wrong at once. */
export function readConfig(environment: Environment): Config {
  const given = withoutEmpty(environment)
  const isProduction = reachOf(given).length > 0
  const env = parseSettings(serviceSettings, given, (keys) => [
    ...(given.CHANGE_REASONS === 'required' && given.ADDITIONS === 'none' ? [noReasons] : []),
    ...(given.METRICS_PORT && given.METRICS_PORT === (given.PORT ?? '8080') ? [samePort] : []),
    ...(isProduction ? productionFaults(given, keys) : []),
  ])
  const consoleUrl = withSlash(env.CONSOLE_URL ?? `http://localhost:${env.PORT}/`)
  return {
    port: env.PORT,
    metricsPort: env.METRICS_PORT,
    host: env.HOST,
    // Behind a TLS proxy, the service would otherwise report an http address, which browsers do not follow.
    baseUrl:
      env.BASE_URL?.replace(/\/$/, '') ??
      (/^https:/i.test(consoleUrl) ? new URL('/api', consoleUrl).href : undefined),
    consoleUrl,
    ...storeOf(env),
    waitSeconds: env.DATABASE_WAIT,
    // No other process serves an embedded store, so a delay is useless.
    shutdownDelaySeconds: env.SHUTDOWN_DELAY ?? (env.DATABASE_URL ? 5 : 0),
    dataDir: env.DATA_DIR,
    identity: {
      issuer: env.OIDC_ISSUER ?? `http://localhost:${env.PORT}/oidc`,
      audience: env.OIDC_AUDIENCE,
      clientId: env.OIDC_CLIENT_ID,
      scope: env.OIDC_SCOPE,
      roleClaim: env.OIDC_ROLE_CLAIM,
      roleMap: env.ROLE_MAP,
      rolesFrom: env.OIDC_ROLES_FROM,
      defaultRole: env.DEFAULT_ROLE,
      tokenLifetimeHours: env.TOKEN_LIFETIME,
      clockToleranceS: env.CLOCK_TOLERANCE,
      embedded: env.OIDC_ISSUER === undefined,
    },
    corsOrigins: env.CORS_ORIGINS,
    inviteUrl: env.INVITE_URL,
    sampleUsers: env.SAMPLE_DATA ?? (isProduction ? 0 : 2000),
    logLevel: env.LOG_LEVEL,
    allowLoopback: env.WEBHOOK_ALLOW_LOOPBACK === 'true',
    keep: { attempts: env.KEEP_TRIES, deliveries: env.KEEP_DELIVERIES },
    rateLimit: env.RATE_LIMIT,
    additions: env.ADDITIONS,
    sensitiveReads: env.SENSITIVE_READS,
    changeReasons: env.CHANGE_REASONS,
    erasureDigests: env.ERASURE_DIGESTS,
    session: env.SESSION,
    environment: isProduction
      ? { name: 'Production', colour: 'red' }
      : { name: 'Development', colour: 'teal' },
  }
}

/**
 * Reads the settings of the store and its keys for commands, which need no sign-in settings. A faulty key is accepted
 * after a valid first one, so that `rewrap` can replace it.
 */
export function readStoreConfig(environment: Environment): Pick<Config, 'store' | 'keys'> {
  const given = withoutEmpty(environment)
  const faultsOfFirst = (keys: readonly MasterKey[]) =>
    faultsOfKeys(keys).flatMap(({ id, fault }) => (id === keys[0]?.id ? [fault] : []))
  return storeOf(
    parseSettings(storeSettings, given, (keys) =>
      reachOf(given).length > 0
        ? explainProduction(given, [...databaseFaults(given), ...faultsOfFirst(keys)])
        : [],
    ),
  )
}

/** Removes empty variables: compose files and CI represent an unset variable as an empty one. */
function withoutEmpty(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
}

function parseSettings<Schema extends typeof storeSettings>(
  schema: Schema,
  given: Environment,
  further: (keys: readonly MasterKey[]) => string[],
): z.output<Schema> {
  const result = schema.safeParse(given)
  const errors = result.success
    ? []
    : result.error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`)
  if (given.DATABASE_URL && !given.ENCRYPTION_KEYS)
    errors.push(
      'ENCRYPTION_KEYS: is required with DATABASE_URL (id:key, for example k1:$(openssl rand -base64 32))',
    )
  const keys = storeSettings.shape.ENCRYPTION_KEYS.safeParse(given.ENCRYPTION_KEYS).data ?? []
  errors.push(...further(keys))
  if (!result.success || errors.length > 0) throw new SettingsError(errors.join('\n'))
  return result.data
}

function storeOf(env: z.output<typeof storeSettings>): Pick<Config, 'store' | 'keys'> {
  return {
    store: env.DATABASE_URL ? { databaseUrl: env.DATABASE_URL } : { dataDir: env.DATA_DIR },
    keys: atLeastOne(env.ENCRYPTION_KEYS),
  }
}

const withSlash = (url: string) => (url.endsWith('/') ? url : `${url}/`)

function atLeastOne<Item>([first, ...rest]: readonly Item[] = []): [Item, ...Item[]] | undefined {
  return first && [first, ...rest]
}
