import { isFullService } from '#contract/feature.ts'
import { findPage, offersPage, type PageName } from '#contract/page-paths.ts'
import { type Features, queryString, readFeatures } from '../api/connection.ts'
import { FirstAnswers } from '../api/first-answers.ts'
import { readPageData, readSettings, type Settings } from '../api/settings.ts'
import { firstArea, scopeLacking, scopesOf } from '../auth/areas.ts'
import { openSessionChannel } from '../auth/session-channel.ts'
import { completeSignIn, openSignIn } from '../auth/sign-in.ts'
import { isFresh, type RunningSession } from '../auth/tokens.ts'
import type { Begun } from '../main.tsx'

/** Restores the session and sends the first requests of the page at the current address. */
export async function begin(consoleUrl: string): Promise<Begun> {
  const sent = readPageData()
  const settings = await readSettings(consoleUrl, sent)
  const signIn = openSignIn(settings, openSessionChannel(settings), sent.provider)
  // Features are fetched in parallel with the sign-in, unless the page already contains them.
  const coming = sent.features ?? readFeatures(settings.apiUrl)
  const arrival = await completeSignIn(signIn)
  const features = await coming
  const answers = new FirstAnswers()
  if (typeof arrival === 'object') ask(answers, arrival, settings, features)
  return { settings, features, signIn, arrival, answers }
}

function ask(answers: FirstAnswers, session: RunningSession, settings: Settings, features: Features): void {
  const { apiUrl, consoleUrl, oidc } = settings
  const scopes = scopesOf(session.tokens, oidc)
  // No page has the console's base URL: it is replaced by the URL of the first area that the person may see.
  if (location.href.split(/[?#]/)[0] === consoleUrl) {
    const area = firstArea(scopes, features) ?? 'users'
    history.replaceState(history.state, '', consoleUrl + area)
  }
  // A session that is about to expire is renewed before anything is requested with it.
  if (!isFresh(session)) return
  const path = location.pathname.slice(new URL(consoleUrl).pathname.length).replace(/\/$/, '')
  if (scopeLacking(`/${path}`, scopes) !== undefined) return
  for (const request of firstRequests(path, new URLSearchParams(location.search), features))
    answers.ask(apiUrl + request, session.tokens.access)
}

interface OpenedPage {
  readonly params: Readonly<Record<string, string>>
  readonly search: URLSearchParams
  readonly features: Features
}
type RequestsOf = (page: OpenedPage) => readonly string[]

const requestsOfUser: RequestsOf = ({ params: { userId }, features }) => [
  `/users/${userId}`,
  `/users/${userId}/entities${features['sensitive.masked'] === 1 ? '?sensitive=masked' : ''}`,
]

/** Requests that a page's loader sends first. A page that is missing here sends its own. */
const requestsOf: Partial<Record<PageName, RequestsOf>> = {
  users: ({ search }) => [
    `/users${queryString({ segment: search.get('segment'), offset: search.get('offset') })}`,
    '/segments',
  ],
  batchJob: ({ params: { jobId } }) => [`/jobs/${jobId}`],
  user: requestsOfUser,
  userActivity: (page) => [...requestsOfUser(page), `/events?order=desc&user=${page.params['userId']}`],
  userSegments: (page) => [...requestsOfUser(page), '/segments', `/users/${page.params['userId']}/segments`],
  userRecord: requestsOfUser,
  subjectAccess: ({ params: { userId } }) => [`/users/${userId}`],
  entity: requestsOfUser,
  newEntity: requestsOfUser,
  segments: () => ['/segments'],
  newSegment: ({ search }) => {
    const from = search.get('from')
    return ['/segments', ...(from === null ? [] : [`/segments/${encodeURIComponent(from)}`])]
  },
  segment: ({ params: { segmentId } }) => [
    `/segments/${segmentId}`,
    '/segments',
    `/users${queryString({ segment: segmentId })}`,
  ],
  editSegment: ({ params: { segmentId } }) => [`/segments/${segmentId}`, '/segments'],
  events: ({ search, features }) =>
    isFullService(features) && search.size === 0 ? ['/events?order=desc&with=delivery&jobs=one'] : [],
  webhooks: () => ['/subscriptions'],
  dictionary: () => ['/dictionary'],
  jobs: () => ['/jobs'],
  job: ({ params: { jobId } }) => [`/jobs/${jobId}`],
}

/**
 * Returns the first requests of the page, relative to the API. A superfluous one costs a request; a missing one is sent
 * later, by the page itself.
 */
export function firstRequests(path: string, search: URLSearchParams, features: Features): readonly string[] {
  const found = findPage(encodeParts(path))
  if (!found || !offersPage(found.name, isFullService(features))) return []
  return requestsOf[found.name]?.({ params: found.params, search, features }) ?? []
}

/** Encodes the segments of a path as the API client does. One that cannot be decoded, as `users/100%`, is no page. */
function encodeParts(path: string): string {
  try {
    const parts = path.split('/').map((part) => encodeURIComponent(decodeURIComponent(part)))
    return `/${parts.join('/')}`
  } catch {
    return ''
  }
}
