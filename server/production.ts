import { asksForTls, databaseHost } from './database-url.ts'
import { faultsOfKeys, type MasterKey } from './sealing/master-keys.ts'
import { hostOf, isLoopbackAddress, isLoopbackName } from './webhooks/addresses.ts'

type Given = Readonly<Record<string, string | undefined>>

/**
 * Returns the reasons to assume that others can reach this service, one phrase for each setting. Empty if only programs
 * on this machine can reach the service and its data, so that its published passwords are harmless.
 */
export function reachOf(given: Given): string[] {
  const reach: string[] = []
  if (!['development', 'test'].includes(given.NODE_ENV ?? 'development'))
    reach.push('NODE_ENV is neither development nor test')
  if (given.HOST !== undefined && !isLoopback(given.HOST)) reach.push('HOST is not a loopback address')
  for (const name of ['BASE_URL', 'CONSOLE_URL']) {
    const url = URL.parse(given[name] ?? '')
    if (url && !isLoopback(hostOf(url))) reach.push(`${name} is not on localhost`)
  }
  if (given.DATABASE_URL !== undefined && !isLoopback(databaseHost(given.DATABASE_URL, given.PGHOST)))
    reach.push('DATABASE_URL is not on localhost')
  return reach
}

/** Returns the faults that keep a production service from starting, and why it counts as production, one line each. */
export function productionFaults(given: Given, keys: readonly MasterKey[]): string[] {
  const faults: string[] = []
  if (given.OIDC_ISSUER === undefined)
    faults.push(
      'OIDC_ISSUER: is required; the development sign-in has published passwords and runs only for this machine itself',
    )
  if (given.BASE_URL === undefined && !/^https:/i.test(given.CONSOLE_URL ?? ''))
    faults.push(
      'BASE_URL: is required, or an https CONSOLE_URL; without them the Host header of a request decides what Location says',
    )
  for (const name of ['OIDC_ISSUER', 'BASE_URL', 'CONSOLE_URL', 'CORS_ORIGINS', 'INVITE_URL'])
    if (/(^|[\s,])http:/i.test(given[name] ?? ''))
      faults.push(`${name}: must be https; tokens or personal data travel by it`)
  faults.push(...databaseFaults(given))
  if (given.DEFAULT_ROLE === 'admin')
    faults.push('DEFAULT_ROLE: must not be admin; every token of the issuer could do everything')
  if (given.WEBHOOK_ALLOW_LOOPBACK === 'true')
    faults.push(
      'WEBHOOK_ALLOW_LOOPBACK: must not be true; anyone who manages webhooks could reach other programs on this machine',
    )
  return explainProduction(given, [...faults, ...faultsOfKeys(keys).map(({ fault }) => fault)])
}

/**
 * Returns the fault of database settings that send data in clear over a network. Applies to the service and to
 * commands that work on its store.
 */
export function databaseFaults({ DATABASE_URL: url, DATABASE_TLS, PGHOST, PGSSLMODE }: Given): string[] {
  if (url === undefined || DATABASE_TLS === 'off') return []
  if (isLoopback(databaseHost(url, PGHOST)) || asksForTls(url, PGSSLMODE)) return []
  return [
    'DATABASE_URL: must ask for TLS (?sslmode=verify-full, with &sslrootcert=<file> for a certificate of your own); personal data travels by it. ' +
      'If nobody else is on the network in between, set DATABASE_TLS=off',
  ]
}

/** Adds why the service counts as production to faults that would be acceptable on the operator's own machine. */
export function explainProduction(given: Given, faults: readonly string[]): string[] {
  if (faults.length === 0) return []
  return [...faults, `(This counts as production, since ${reachOf(given).join(', ')}.)`]
}

function isLoopback(host: string): boolean {
  return isLoopbackName(host) || isLoopbackAddress(host.replace(/^\[(.*)\]$/, '$1'))
}
