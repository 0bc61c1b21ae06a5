// DATABASE_URL, as the driver reads it: libpq's forms, without several hosts.
import { hostOf } from './webhooks/delivery/addresses.ts'

const modes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

/** One without a host after its user, `postgresql://u@/a?host=/run/postgresql`, is none to the rest of the world. */
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

/** A `host` in the query goes before the address's own, and a path is a socket of this machine. */
export function databaseHost(url: string, fallback: string | undefined): string {
  const address = URL.parse(url)
  const host = last(url, 'host') || (address && hostOf(address)) || fallback
  return host === undefined || /^(\/|%2f|@)/i.test(host) ? 'localhost' : host
}

/** Whether the connection is refused where it would be without TLS: the driver falls back for no mode. */
export function asksForTls(url: string, modeOfEnvironment: string | undefined): boolean {
  const mode = last(url, 'sslmode')
  if (mode !== undefined) return mode !== 'disable'
  if (['sslcert', 'sslkey', 'sslrootcert'].some((name) => last(url, name) !== undefined)) return true
  const ssl = last(url, 'ssl')
  if (ssl !== undefined) return ssl === 'true' || ssl === '1'
  if (last(url, 'sslnegotiation') === 'direct') return true
  // Other words mean nothing to the driver.
  return ['prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'].includes(modeOfEnvironment ?? '')
}

const parametersOf = (url: string) =>
  parseUrl(url)?.searchParams ?? new URLSearchParams(/\?([^#]*)/.exec(url)?.[1])

/** The driver takes the last one of a name, and an empty one for none. */
const last = (url: string, name: string) => parametersOf(url).getAll(name).at(-1) || undefined
