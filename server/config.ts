import * as z from 'zod'

import { type Role, roles } from '#contract/index.ts'

/** Everything the service can be told, validated. See docs/operations.md. */
export interface Config {
  readonly port: number
  readonly host: string
  /** Public address of the API without a trailing slash; absent: the origin the request came to, plus `/api`. */
  readonly baseUrl: string | undefined
  /** Public address of the console, ending in a slash; its path is where the console is served. */
  readonly consoleUrl: string
  readonly store: { readonly dataDir: string } | { readonly databaseUrl: string }
  /** How long to wait at start for a PostgreSQL that is not there yet. */
  readonly waitSeconds: number
  readonly dataDir: string
  readonly identity: {
    readonly issuer: string
    readonly audience: string
    readonly clientId: string
    readonly roleClaim: string
    readonly defaultRole: Role | undefined
    /** The development sign-in runs inside this process. */
    readonly embedded: boolean
  }
  readonly corsOrigins: readonly string[]
  /** Absent: the embedded store has its own, see key-file.ts. */
  readonly keys: MasterKeys | undefined
  readonly inviteUrl: string
  /** Users to make on an empty embedded store. */
  readonly sampleUsers: number
  readonly logLevel: LogLevel
  /** Webhooks may go to this machine itself, over http too. */
  readonly allowLoopback: boolean
  /** Requests of one caller in a second; 0: any number. */
  readonly rateLimit: number
  /** `none` is the bare API document, for tests and strict clients. */
  readonly additions: 'all' | 'none'
  /** `reveal`: reads mask sensitive values for everybody, so that naming a reason is the only way to them. */
  readonly sensitiveReads: 'values' | 'reveal'
  /** What the console's badge says. */
  readonly environment: { readonly name: string; readonly colour: string }
}

export interface MasterKey {
  readonly id: string
  /** 32 bytes. */
  readonly key: Buffer
}

/** The first one is used for what is made now, the others for what was made before. */
export type MasterKeys = readonly [MasterKey, ...MasterKey[]]

const logLevels = ['silent', 'error', 'warn', 'info'] as const
type LogLevel = (typeof logLevels)[number]

/** All that is wrong with the settings, one line each. */
export class SettingsError extends Error {}

const address = z
  .url({ protocol: /^https?$/, error: 'must be an absolute http(s) address' })
  .refine((value) => !/[?#]/.test(value), 'must have no query and no fragment')
const origin = address.refine(
  (value) => new URL(value).origin === value,
  'must be an origin such as https://console.example.org',
)

const settings = z.object({
  NODE_ENV: z.string().optional(),
  PORT: z.coerce.number('must be a port number').int().min(1).max(65_535).default(8080),
  HOST: z.string().min(1).default('127.0.0.1'),
  BASE_URL: address.optional(),
  CONSOLE_URL: address.optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// address' }).optional(),
  DATABASE_WAIT: z.coerce.number('must be a number of seconds').int().min(0).max(86_400).default(60),
  OIDC_ISSUER: address.optional(),
  OIDC_AUDIENCE: z.string().min(1).default('urn:data-store'),
  OIDC_CLIENT_ID: z.string().min(1).default('data-store-console'),
  OIDC_ROLE_CLAIM: z.string().min(1).default('role'),
  DEFAULT_ROLE: z.enum(roles, `must be one of ${roles.join(', ')}`).optional(),
  CORS_ORIGINS: z
    .string()
    .transform((list) => list.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(origin))
    .default([]),
  ENCRYPTION_KEYS: z
    .string()
    .transform((list, context) => {
      const keys = list
        .split(/[\s,]+/)
        .filter(Boolean)
        .map(readKey)
      if (keys.length === 0 || keys.includes(undefined))
        context.addIssue('must be a list of id:key, each key 32 bytes in base64 (openssl rand -base64 32)')
      return keys.filter((key) => key !== undefined)
    })
    .optional(),
  INVITE_URL: address.default('https://example.org/invitation'),
  SAMPLE_DATA: z.coerce.number('must be a number of users').int().min(0).max(1_000_000).default(2000),
  WEBHOOK_ALLOW_LOOPBACK: z.enum(['true', 'false'], 'must be true or false').default('false'),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
  RATE_LIMIT: z.coerce.number('must be a number of requests').int().min(0).max(1_000_000).default(100),
  SENSITIVE_READS: z.enum(['values', 'reveal'], 'must be values or reveal').default('values'),
  ADDITIONS: z.enum(['all', 'none'], 'must be all or none').default('all'),
})

/** Reads and checks the settings; throws a SettingsError that lists everything wrong at once. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  // An empty variable is what an unset one looks like in compose files and CI.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const result = settings.safeParse(given)
  const errors = result.success
    ? []
    : result.error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`)
  const production = given.NODE_ENV === 'production'
  if (production && !given.OIDC_ISSUER)
    errors.push('OIDC_ISSUER: is required in production; the development sign-in has published passwords')
  if (given.DATABASE_URL && !given.ENCRYPTION_KEYS)
    errors.push(
      'ENCRYPTION_KEYS: is required with DATABASE_URL (id:key, for example k1:$(openssl rand -base64 32))',
    )
  if (!result.success || errors.length > 0) throw new SettingsError(errors.join('\n'))

  const env = result.data
  const consoleUrl = withSlash(env.CONSOLE_URL ?? `http://localhost:${env.PORT}/`)
  return {
    port: env.PORT,
    host: env.HOST,
    baseUrl: env.BASE_URL?.replace(/\/$/, ''),
    consoleUrl,
    store: env.DATABASE_URL ? { databaseUrl: env.DATABASE_URL } : { dataDir: env.DATA_DIR },
    waitSeconds: env.DATABASE_WAIT,
    dataDir: env.DATA_DIR,
    identity: {
      issuer: env.OIDC_ISSUER ?? `http://localhost:${env.PORT}/oidc`,
      audience: env.OIDC_AUDIENCE,
      clientId: env.OIDC_CLIENT_ID,
      roleClaim: env.OIDC_ROLE_CLAIM,
      defaultRole: env.DEFAULT_ROLE,
      embedded: env.OIDC_ISSUER === undefined,
    },
    corsOrigins: env.CORS_ORIGINS,
    keys: atLeastOne(env.ENCRYPTION_KEYS),
    inviteUrl: env.INVITE_URL,
    sampleUsers: env.SAMPLE_DATA,
    logLevel: env.LOG_LEVEL,
    allowLoopback: env.WEBHOOK_ALLOW_LOOPBACK === 'true',
    rateLimit: env.RATE_LIMIT,
    additions: env.ADDITIONS,
    sensitiveReads: env.SENSITIVE_READS,
    environment: production ? { name: 'Production', colour: 'red' } : { name: 'Development', colour: 'teal' },
  }
}

const withSlash = (url: string) => (url.endsWith('/') ? url : `${url}/`)

function atLeastOne<Item>(items: readonly Item[] | undefined): [Item, ...Item[]] | undefined {
  const [first, ...rest] = items ?? []
  return first && [first, ...rest]
}

/** An `id:key` of the settings; `undefined`: it is none. */
export function readKey(entry: string): MasterKey | undefined {
  const [id, encoded = ''] = entry.split(/:(.*)/s)
  const key = Buffer.from(encoded, 'base64')
  return id && key.length === 32 ? { id, key } : undefined
}
