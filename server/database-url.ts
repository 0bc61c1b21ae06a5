// Parses DATABASE_URL as the driver does: the forms of libpq, but only one host.
import { hostOf } from './webhooks/addresses.ts'

const modes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

/**
 * Parses an address. One with a user but no host, like `postgresql://u@/a?host=/run/postgresql`, is valid for the
 * driver but not for `URL.parse`, so a placeholder host is inserted.
 */
const parseUrl = (url: string) => URL.parse(url) ?? URL.parse(url.replace('@/', '@-/'))

export function faultOfDatabaseUrl(url: string): string | undefined {
  const authority = /^postgres(?:ql)?:\/\/([^/?#]*)/i.exec(url)?.[1]
  if (authority === undefined) return 'must be a postgresql:// address'
  const hosts = [authority.slice(authority.lastIndexOf('@') + 1), ...parametersOf(url).getAll('host')]
  if (hosts.some((host) => /,|%2c/i.test(host)))
    return 'must name one host: the address that leads to the primary, whichever that is; among several the service does not look for it'
  if (!parseUrl(url)) return 'must be a postgresql:// address'
  const mode = last(url, 'sslmode')
  if (mode !== undefined && !modes.includes(mode)) return `must have an sslmode of ${modes.join(', ')}`
  return undefined
}

/**
 * Returns the database host. A `host` in the query takes precedence over the address's own, and a path means a local
 * socket.
 */
export function databaseHost(url: string, fallback: string | undefined): string {
  const address = URL.parse(url)
  const host = last(url, 'host') || (address && hostOf(address)) || fallback
  return host === undefined || /^(\/|%2f|@)/i.test(host) ? 'localhost' : host
}

/** Whether the connection requires TLS. If TLS is requested, the driver never falls back to an unencrypted one. */
export function asksForTls(url: string, modeOfEnvironment: string | undefined): boolean {
  const mode = last(url, 'sslmode')
  if (mode !== undefined) return mode !== 'disable'
  if (['sslcert', 'sslkey', 'sslrootcert'].some((name) => last(url, name) !== undefined)) return true
  const ssl = last(url, 'ssl')
  if (ssl !== undefined) return ssl === 'true' || ssl === '1'
  if (last(url, 'sslnegotiation') === 'direct') return true
  // The driver ignores all other values.
  return ['prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'].includes(modeOfEnvironment ?? '')
}

const parametersOf = (url: string) =>
  parseUrl(url)?.searchParams ?? new URLSearchParams(/\?([^#]*)/.exec(url)?.[1])

/**
 * Returns a query parameter as the driver reads it: the last one of a name wins, and an empty value counts as absent.
 */
const last = (url: string, name: string) => parametersOf(url).getAll(name).at(-1) || undefined
