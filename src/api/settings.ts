import { isRole, type Role, roles } from '#contract/permissions.ts'

import type { PageData } from './page-data.ts'

/** Settings that the console reads from `config.json` at its start; see public/config.json. */
export interface Settings {
  /** {base_url} of the API, absolute. In the file it may be relative to the console's own address. */
  readonly apiUrl: string
  readonly oidc: {
    /** The issuer: discovery is read from `<authority>/.well-known/openid-configuration`. May be relative. */
    readonly authority: string
    readonly clientId: string
    readonly scope: string
    /** Audience of the access token, sent as `resource` and `audience`; `undefined` where the provider needs none. */
    readonly audience: string | undefined
    /** The claim of the ID token that names the caller's role, or the path to it within claims. */
    readonly roleClaim: string
    /** Our roles by the provider's names for them; absent: it has ours. */
    readonly roleMap: Readonly<Record<string, Role>> | undefined
  }
  /** `colour`: red, orange, yellow, green, teal, blue or indigo; any other is grey. */
  readonly environment: { readonly name: string; readonly colour: string } | undefined
  /** The zone that the service means by a datetime without one: an IANA name. */
  readonly timeZone: string
  /** Place in which a tab keeps its session: its own storage, which outlives a reload, or memory alone. */
  readonly session: 'tab' | 'memory'
  /** Base address of the console, with a trailing slash. */
  readonly consoleUrl: string
}

/** Why the console cannot start: one line per thing that is wrong, for an administrator. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly reasons: readonly string[]
  constructor(reasons: readonly string[]) {
    super(reasons.join('\n'))
    this.reasons = reasons
  }
}

/** From the page, or else from `config.json` beside it. */
export async function readSettings(consoleUrl: string, { settings }: PageData): Promise<Settings> {
  if (settings !== undefined) return parseSettings(settings, consoleUrl)
  const url = new URL('config.json', consoleUrl)
  const response = await fetch(url, { cache: 'no-cache', credentials: 'same-origin' }).catch(() => undefined)
  if (!response) throw new SettingsError([`${url.pathname}: cannot be read`])
  if (!response.ok) throw new SettingsError([`${url.pathname}: HTTP ${response.status}`])
  const content: unknown = await response.json().catch(() => {
    throw new SettingsError([`${url.pathname}: not JSON`])
  })
  return parseSettings(content, consoleUrl)
}

export function parseSettings(content: unknown, consoleUrl: string): Settings {
  const reasons: string[] = []
  const members = (value: unknown) => (typeof value === 'object' && value !== null ? value : {})
  const at = (place: string) =>
    place.split('.').reduce<unknown>((within, name) => Reflect.get(members(within), name), content)
  const text = (place: string, standIn?: string): string => {
    const value = at(place)
    if (typeof value === 'string' && value !== '') return value
    if (value !== undefined || standIn === undefined)
      reasons.push(`${place}: ${value === undefined ? 'is missing' : 'must be a text'}`)
    return standIn ?? ''
  }
  const address = (place: string): string => {
    const value = text(place)
    if (URL.canParse(value, consoleUrl)) return new URL(value, consoleUrl).href.replace(/\/$/, '')
    reasons.push(`${place}: is no address`)
    return ''
  }
  /** The first one stands in. */
  const choice = <const Value extends string>(place: string, values: readonly [Value, ...Value[]]): Value => {
    const value = text(place, values[0])
    const known = values.find((each) => each === value)
    if (known === undefined) reasons.push(`${place}: must be ${values.join(' or ')}`)
    return known ?? values[0]
  }
  const roleMap = (value: unknown) => {
    if (value === undefined) return undefined
    const names = Object.entries(members(value))
    const known = names.filter((entry): entry is [string, Role] => isRole(entry[1]))
    if (names.length === 0 || known.length < names.length)
      reasons.push(`oidc.roleMap: must give each name one of ${roles.join(', ')}`)
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
  if (!isTimeZone(settings.timeZone)) reasons.push('timeZone: is not the name of a time zone')
  if (reasons.length > 0) throw new SettingsError(reasons)
  return settings
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
