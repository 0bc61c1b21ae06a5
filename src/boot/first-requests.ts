import type { Feature } from '#contract/index.ts'

import type { Features } from '../api/connection.ts'

/**
 * What the page at an address asks the service for first, as its loader does: addresses below {base_url}. One that it does
 * not ask for after all costs a request; one that is missing here only comes later.
 */
export function firstRequests(path: string, search: URLSearchParams, features: Features): string[] {
  const [area, id = '', part = '', ...more] = partsOf(path)
  // An address that cannot be decoded has no page.
  if (area === undefined) return []
  const isOffered = (feature: Feature) => features[feature] === 1
  if (area === 'segments') return ofSegments(id, part, search)
  if (area === 'webhooks' && isOffered('webhooks') && id === '') return ['/subscriptions']
  if (area === 'dictionary' && isOffered('dictionary')) return ['/dictionary']
  if (area === 'events')
    return isOffered('events.filter') && search.size === 0
      ? [`/events?order=desc${isOffered('events.delivery') ? '&with=delivery' : ''}`]
      : []
  if (area !== 'users') return []
  if (id === '')
    return [`/users${asked({ segment: search.get('segment'), offset: search.get('offset') })}`, '/segments']
  if (['new', 'export', 'import', 'deleted'].includes(id)) return []
  if (id === 'batch') return isOffered('users.batch') ? [part === '' ? '/jobs' : `/jobs/${part}`] : []
  const isMasked = isOffered('sensitive.masked') && isOffered('sensitive.reveal')
  const user = `/users/${id}`
  if (part === 'access') return [user]
  const shown = [user, `${user}/entities${isMasked ? '?sensitive=masked' : ''}`]
  if (part === 'segments')
    return [...shown, '/segments', ...(isOffered('users.segments') ? [`${user}/segments`] : [])]
  if (part === 'activity' && isOffered('events.filter')) return [...shown, `/events?order=desc&user=${id}`]
  return more.length > 1 ? [] : shown
}

function ofSegments(id: string, part: string, search: URLSearchParams): string[] {
  const from = search.get('from')
  if (id === 'new') return ['/segments', ...(from === null ? [] : [`/segments/${encodeURIComponent(from)}`])]
  if (id === '') return ['/segments']
  const shown = [`/segments/${id}`, '/segments']
  return part === 'edit' ? shown : [...shown, `/users${asked({ segment: id })}`]
}

/** As the client writes them; none where they cannot be decoded, as in `users/100%`. */
function partsOf(path: string): string[] {
  try {
    return path.split('/').map((part) => encodeURIComponent(decodeURIComponent(part)))
  } catch {
    return []
  }
}

function asked(parameters: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}
