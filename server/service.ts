import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLocalJWKSet, type JSONWebKeySet } from 'jose'
import type { Logger } from 'pino'

import { createApi } from './api/api.ts'
import type { Config } from './config.ts'
import { insertSampleDefinitions } from './demo/sample-definitions.ts'
import { insertSampleWebhooks } from './demo/sample-webhooks.ts'
import { makeSampleData } from './demo/sample.ts'
import { startIndexingSealedEmails } from './entities/sealed-emails.ts'
import { startFinalising } from './erasures/finalising.ts'
import { createApp } from './http/app.ts'
import { bearerCheck } from './http/auth/caller.ts'
import { IssuerKeys } from './http/auth/issuer-keys.ts'
import { userInfoOf } from './http/auth/user-info.ts'
import { readBuiltPage, type ConsoleSettings } from './http/console.ts'
import { Metrics } from './http/metrics.ts'
import { accountPassword, accounts } from './identity/accounts.ts'
import { createIdentityProvider } from './identity/provider.ts'
import { ImportTidying } from './imports/tidying.ts'
import { JobThread } from './job-thread.ts'
import { JobTidying } from './jobs/tidying.ts'
import { openLog } from './log.ts'
import { type Database, openDatabase } from './sealing/database.ts'
import { missingMasters } from './sealing/key-rotation.ts'
import { startRangeIndexes } from './segments/range-indexes.ts'
import { ServerEnded } from './store/engine/embedded.ts'
import { diskTrouble } from './store/engine/folder-trouble.ts'
import { DiskFull } from './store/engine/reserve.ts'
import { Delivering } from './webhooks/delivery/delivering.ts'
import { Receivers } from './webhooks/delivery/receiver.ts'

/**
 * Times of a stop, counted from the end of its delay. Draining ends by itself after ten seconds, and a database that
 * does not stop is killed three seconds after the store's time.
 */
const endsBy = { requestsMs: 11_000, storeMs: 15_500, allMs: 19_500 }

type RequestListener = (request: IncomingMessage, response: ServerResponse) => void

export interface RunningService {
  /** Instructions for newcomers, printed in the terminal. */
  readonly welcome: string
  /** Stops accepting requests after the shutdown delay, lets running ones finish, and closes the store. */
  close(): Promise<void>
}

/** Starts everything that the settings ask for: store, sample data, sign-in, API, console. */
export async function startService(
  config: Config,
  options: {
    readonly consoleFolder: string
    readonly development: boolean
  },
): Promise<RunningService> {
  const log = openLog(config.logLevel)
  // Throws if the console is not built, before a store is created and filled.
  if (!options.development) readBuiltPage(options.consoleFolder)
  const database = await openLogged(config, log)
  const { identity } = config
  if (database.engine === 'embedded' && config.sampleUsers > 0) await fillSampleData(database, config)

  const signIn = identity.embedded ? await openSignIn(config) : undefined
  const signInPath = new URL(identity.issuer).pathname
  const settings = consoleSettings(config)
  const { issuerKeys, authenticate } = openIssuer(config, log, signIn?.jwks)
  let developmentConsole: RequestListener | undefined

  const api = openApi(config, database, log)
  const metrics = config.metricsPort === undefined ? undefined : new Metrics(api.figures)
  const app = await createApp({
    api,
    metrics,
    authenticate,
    baseUrl: config.baseUrl,
    consoleUrl: config.consoleUrl,
    corsOrigins: config.corsOrigins,
    rateLimit: config.rateLimit,
    console: options.development
      ? undefined
      : {
          folder: options.consoleFolder,
          consoleUrl: config.consoleUrl,
          settings,
          provider: () => issuerKeys.metadata(),
        },
    log:
      config.logLevel === 'info' || config.logLevel === 'error' || config.logLevel === 'warn'
        ? log
        : undefined,
    elsewhere: (request, response) => {
      const url = request.url ?? '/'
      if (signIn && (url === signInPath || url.startsWith(`${signInPath}/`))) signIn.handle(request, response)
      else if (developmentConsole && !/^\/(api|livez|readyz)([/?]|$)/.test(url))
        developmentConsole(request, response)
      else return false
      return true
    },
  })
  let closeConsole = async () => {}
  if (options.development) {
    const { openDevelopmentConsole } = await import('./development.ts')
    const opened = await openDevelopmentConsole(app.server, settings)
    developmentConsole = opened.handle
    closeConsole = opened.close
  }

  const background = startBackground(config, database, log)
  await app.listen({ port: config.port, host: config.host })
  if (config.metricsPort !== undefined) await metrics?.listen(config.metricsPort, config.host)
  // The content security policy of the first page needs the issuer's addresses.
  await issuerKeys.open()
  return {
    welcome: welcome(config),
    close: () =>
      stopWithin(config.shutdownDelaySeconds * 1000, log, {
        async requests(delayed) {
          await closeConsole()
          await Promise.all([app.drain(delayed).then(() => app.close()), background.stop()])
        },
        async store(withinMs) {
          await metrics?.close()
          await database.close(withinMs)
        },
      }),
  }
}

/** Ends requests and store in an orderly way, but continues when their time is up, even if something is stuck. */
async function stopWithin(
  delayMs: number,
  log: Logger,
  end: {
    readonly requests: (delayed: Promise<unknown> | undefined) => Promise<void>
    readonly store: (withinMs: number) => Promise<void>
  },
): Promise<void> {
  const beganMs = performance.now() + delayMs
  const after = (ms: number) => sleep(delayMs + ms, undefined, { ref: false })
  const endAll = async () => {
    await Promise.race([end.requests(delayMs > 0 ? sleep(delayMs) : undefined), after(endsBy.requestsMs)])
    await end.store(endsBy.storeMs - Math.max(0, performance.now() - beganMs))
    return true
  }
  if ((await Promise.race([endAll(), after(endsBy.allMs)])) !== true)
    log.error('the service was stopped before all of its work had ended')
}

function openApi(config: Config, database: Database, log: Logger) {
  const { inviteUrl, additions, sensitiveReads, changeReasons, allowLoopback } = config
  return createApi({ database, inviteUrl, additions, sensitiveReads, changeReasons, allowLoopback, log })
}

async function fillSampleData(
  database: Database,
  { sampleUsers, identity, additions }: Config,
): Promise<void> {
  const today = new Date()
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  const isFilled = await database.unlimited((sql) =>
    makeSampleData({ ...database, sql }, sampleUsers, say, today),
  )
  if (isFilled && additions === 'all') await insertSampleDefinitions(database)
  // With another issuer, the people who sign in are not the sample accounts, and create their own webhooks.
  if (isFilled && identity.embedded) await insertSampleWebhooks(database, today)
}

/** Opens the store and logs its problems, now and later. */
async function openLogged(config: Config, log: Logger): Promise<Database> {
  const database = await openDatabase(config.store, config.keys, {
    erasureDigests: config.erasureDigests,
    waitSeconds: config.waitSeconds,
    waiting: (line) => process.stderr.write(`${line}\n`),
    warn: (line) => log.warn(line),
    failed(error) {
      log.error(
        { name: error.name, code: (error as { code?: unknown }).code },
        error instanceof DiskFull || error instanceof ServerEnded
          ? error.message
          : 'the store reports a problem',
      )
    },
  })
  const missing = await missingMasters(database.sql, database.keys.keyring)
  if (missing.length > 0)
    log.error(
      { missing },
      'master keys are missing from ENCRYPTION_KEYS: what needs them is answered with 503',
    )
  return database
}

function startBackground(
  { allowLoopback, keep, logLevel, sensitiveReads }: Config,
  database: Database,
  log: Logger,
) {
  const works = [
    new Delivering({ database, receivers: new Receivers({ allowLoopback }), log, keep }),
    startFinalising(database, log),
    startRangeIndexes(database, log),
    startIndexingSealedEmails(database, log),
    new JobThread(database, { logLevel, sensitiveReads }, log),
    new JobTidying(database, log),
    new ImportTidying(database, log),
  ]
  return {
    async stop() {
      await Promise.all(works.map((work) => work.stop()))
    },
  }
}

/**
 * Opens the issuer whose tokens the service accepts.
 *
 * @param own Keys of the development sign-in in this process; fetching them over HTTP could be too slow on a busy
 * machine.
 */
function openIssuer({ identity }: Config, log: Logger, own: JSONWebKeySet | undefined) {
  const { issuer } = identity
  const issuerKeys = new IssuerKeys(issuer, (fault) => {
    // With `own` keys, only the issuer's metadata is missing, and the browser fetches it itself.
    if (!own) log.error({ issuer, fault }, 'the issuer of tokens cannot be used: nobody can sign in')
  })
  const keys = own ? { find: createLocalJWKSet(own), reading: 0 } : issuerKeys
  const userInfo =
    identity.rolesFrom === 'userinfo' ? userInfoOf(identity, () => issuerKeys.metadata()) : undefined
  return { issuerKeys, authenticate: bearerCheck(identity, keys, userInfo) }
}

/** Starts the embedded identity provider. */
const openSignIn = (config: Config) =>
  createIdentityProvider({
    ...config.identity,
    consoleUrls: consoleUrls(config),
    keyFile: path.join(config.dataDir, 'sign-in.json'),
  }).catch((error: unknown) => {
    throw diskTrouble(config.dataDir, error) ?? error
  })

/** Returns the addresses of the console: the configured one, and for localhost also 127.0.0.1. */
function consoleUrls({ consoleUrl }: Config): string[] {
  const other = consoleUrl.replace('//localhost:', '//127.0.0.1:')
  return [...new Set([consoleUrl, other])]
}

function consoleSettings(config: Config): ConsoleSettings {
  const { identity } = config
  return {
    apiUrl: config.baseUrl ?? '/api',
    oidc: {
      authority: identity.issuer,
      clientId: identity.clientId,
      scope: identity.scope,
      audience: identity.audience,
      roleClaim: identity.roleClaim,
      roleMap: identity.roleMap,
    },
    environment: config.environment,
    timeZone: 'UTC',
    session: config.session,
  }
}

function welcome({ consoleUrl, baseUrl, port, identity }: Config): string {
  const api = `http://localhost:${port}/api`
  const lines = [
    `Data Store is ready: ${consoleUrl}`,
    `API: ${api}   described at ${api}/docs`,
    baseUrl === undefined
      ? 'Location in answers begins with http:// and the name asked (localhost, for example); behind a proxy set BASE_URL.'
      : `Location in answers begins with ${baseUrl}`,
  ]
  if (identity.embedded)
    lines.push(
      `Sign in as ${accounts.map(({ userName }) => userName).join(', ')} with the password ${accountPassword} (development only).`,
      `curl -H "Authorization: Bearer $(${port === 8080 ? '' : `PORT=${port} `}npm run --silent token -- --role steward)" ${api}/users`,
    )
  return lines.join('\n')
}
