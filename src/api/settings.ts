import { isRole, type Role, roles } from '#contract/permissions.ts'
import type { Features } from './connection.ts'

/** Settings that the console reads from `config.json` at startup; see public/config.json. */
export interface Settings {
  /** {base_url} of the API, absolute. In the file it may be relative to the console's own address. */
  readonly apiUrl: string
  readonly oidc: {
    /** The issuer: discovery is read from `<authority>/.well-known/openid-configuration`. May be relative. */
    readonly authority: string
    readonly clientId: string
    readonly scope: string
    /** Audience of the access token, sent as `resource` and `audience`; undefined if the provider needs none. */
    readonly audience: string | undefined
    /** Claim of the ID token that names the caller's role, or the path to it within claims. */
    readonly roleClaim: string
    /** Our roles by the provider's names; undefined if the provider uses ours. */
    readonly roleMap: Readonly<Record<string, Role>> | undefined
  }
  /** `colour`: red, orange, yellow, green, teal, blue or indigo; any other is grey. */
  readonly environment: { readonly name: string; readonly colour: string } | undefined
  /** Time zone of datetimes that the service gives without one, as an IANA name. */
  readonly timeZone: string
  /** Storage of a tab's session: the tab's own storage, which outlives a reload, or memory only. */
  readonly session: 'tab' | 'memory'
  /** Base address of the console, with a trailing slash. */
  readonly consoleUrl: string
}

export interface SettingsFault {
  /** Address of the file, or the path to one of its members. */
  readonly place: string
  readonly kind:
    | 'unread'
    | 'refused'
    | 'notJson'
    | 'missing'
    | 'notText'
    | 'notAddress'
    | 'notChoice'
    | 'notRoles'
    | 'notZone'
  /** Allowed values of the member; for `refused`, the server's response. */
  readonly values?: readonly string[]
}

/** Error for faults that keep the console from starting. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly faults: readonly SettingsFault[]
  constructor(faults: readonly SettingsFault[]) {
    super(faults.map(({ place, kind }) => `${place}: ${kind}`).join('\n'))
    this.faults = faults
  }
}

/** First answers that a console needs, which our service writes into the page. Other servers write none. */
interface PageData {
  /** The content of `config.json`. */
  readonly settings?: unknown
  readonly features?: Features
  /** The issuer's metadata (OpenID Connect Discovery); undefined until the service has fetched it. */
  readonly provider?: Readonly<Record<string, unknown>>
}

export function readPageData(): PageData {
  const block = document.querySelector('script#prefetched')
  return block ? (JSON.parse(block.textContent) as PageData) : {}
}

/** Reads the settings from the page, or else from `config.json` beside it. */
export async function readSettings(consoleUrl: string, { settings }: PageData): Promise<Settings> {
  if (settings !== undefined) return parseSettings(settings, consoleUrl)
  const url = new URL('config.json', consoleUrl)
  const response = await fetch(url, { cache: 'no-cache', credentials: 'same-origin' }).catch(() => undefined)
  const place = url.pathname
  if (!response) throw new SettingsError([{ place, kind: 'unread' }])
  if (!response.ok) throw new SettingsError([{ place, kind: 'refused', values: [`HTTP ${response.status}`] }])
  const content: unknown = await response.json().catch(() => {
    throw new SettingsError([{ place, kind: 'notJson' }])
  })
  return parseSettings(content, consoleUrl)
}

export function parseSettings(content: unknown, consoleUrl: string): Settings {
  const faults: SettingsFault[] = []
  const members = (value: unknown) => (typeof value === 'object' && value !== null ? value : {})
  const at = (place: string) =>
    place.split('.').reduce<unknown>((within, name) => Reflect.get(members(within), name), content)
  const text = (place: string, standIn?: string): string => {
    const value = at(place)
    if (typeof value === 'string' && value !== '') return value
    if (value !== undefined || standIn === undefined)
      faults.push({ place, kind: value === undefined ? 'missing' : 'notText' })
    return standIn ?? ''
  }
  const address = (place: string): string => {
    const value = text(place)
    if (URL.canParse(value, consoleUrl)) return new URL(value, consoleUrl).href.replace(/\/$/, '')
    faults.push({ place, kind: 'notAddress' })
    return ''
  }
  /** Reads a choice; the first value is the default. */
  const choice = <const Value extends string>(place: string, values: readonly [Value, ...Value[]]): Value => {
    const value = text(place, values[0])
    const known = values.find((each) => each === value)
    if (known === undefined) faults.push({ place, kind: 'notChoice', values })
    return known ?? values[0]
  }
  const roleMap = (value: unknown) => {
    if (value === undefined) return undefined
    const names = Object.entries(members(value))
    const known = names.filter((entry): entry is [string, Role] => isRole(entry[1]))
    if (names.length === 0 || known.length < names.length)
      faults.push({ place: 'oidc.roleMap', kind: 'notRoles', values: roles })
    return Object.fromEntries(known)
  }
  const settings = {
    apiUrl: address('apiUrl'),
    oidc: {
      authority: address('oidc.authority'),
      clientId: text('oidc.clientId'),
      scope: text('oidc.scope', 'openid profile'),
      audience: text('oidc.audience', '') || undefined,
      roleClaim: text('oidc.roleClaim', 'role'),
      roleMap: roleMap(at('oidc.roleMap')),
    },
    environment: Reflect.has(members(content), 'environment')
      ? { name: text('environment.name'), colour: text('environment.colour', 'gray') }
      : undefined,
    timeZone: text('timeZone', 'UTC'),
    session: choice('session', ['tab', 'memory']),
    consoleUrl: new URL('.', consoleUrl).href,
  }
  if (!isTimeZone(settings.timeZone)) faults.push({ place: 'timeZone', kind: 'notZone' })
  if (faults.length > 0) throw new SettingsError(faults)
  return settings
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
