// The addresses of the console, in one place. No personal data: ids, offsets and segment ids only.

function search(values: Readonly<Record<string, string | undefined>>): string {
  const present = Object.entries(values).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  )
  return present.length === 0 ? '' : `?${new URLSearchParams(present)}`
}

const id = encodeURIComponent

export const links = {
  users: (state: { readonly segment?: string | undefined; readonly offset?: string | undefined } = {}) =>
    `/users${search(state)}`,
  newUser: () => '/users/new',
  importUsers: () => '/users/import',
  exportUsers: (state: { readonly segment?: string | undefined } = {}) => `/users/export${search(state)}`,
  user: (userId: string) => `/users/${id(userId)}`,
  userActivity: (userId: string) => `/users/${id(userId)}/activity`,
  userSegments: (userId: string) => `/users/${id(userId)}/segments`,
  userRecord: (userId: string) => `/users/${id(userId)}/record`,
  subjectAccess: (userId: string) => `/users/${id(userId)}/access`,
  entity: (userId: string, entityId: string) => `/users/${id(userId)}/entities/${id(entityId)}`,
  editEntity: (userId: string, entityId: string) => `/users/${id(userId)}/entities/${id(entityId)}/edit`,
  newEntity: (userId: string) => `/users/${id(userId)}/entities/new`,
  segments: () => '/segments',
  newSegment: () => '/segments/new',
  segment: (segmentId: string) => `/segments/${id(segmentId)}`,
  events: (state: { readonly offset?: string | undefined } = {}) => `/events${search(state)}`,
  event: (eventId: string) => `/events/${id(eventId)}`,
}
