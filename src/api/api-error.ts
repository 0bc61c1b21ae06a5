import { problem, type ProblemError } from '#contract/index.ts'
import type { NoRole } from './connection.ts'

type ApiErrorParts = Pick<ApiError, 'status'> &
  Partial<
    Omit<
      ApiError,
      'name' | 'message' | 'stack' | 'missingScope' | 'isRepeatable' | 'mayHaveHappened' | 'showsOtherState'
    >
  >

/**
 * Error for an unsuccessful response, or for none. `message` can be shown to a person if the service wrote one; it never
 * contains a value that was sent.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** HTTP status; 0 if there was no response (offline, refused, timed out). */
  readonly status: number
  /** Code of the problem body (`conflict` …), or `network`, `timeout`, `unreadable`, `signed_out`. */
  readonly code?: string | undefined
  readonly title?: string | undefined
  readonly detail?: string | undefined
  /** Errors in the request body, each with its JSON Pointer. */
  readonly errors: readonly ProblemError[] = []
  /** Ids of the conflicting users, if the service names them. */
  readonly users: readonly string[] = []
  /** Reason for which the caller has no role at all. */
  readonly noRole?: NoRole | undefined
  readonly requestId?: string | undefined
  readonly retryAfterSeconds?: number | undefined
  /** Whether a write may have happened: read again before writing again. */
  readonly outcomeUnknown: boolean = false
  /** Whether the same write may be sent again: `keyedWrites` keeps its key, by which the service recognises it. */
  isRepeatable = false

  constructor({ cause, ...parts }: ApiErrorParts) {
    const { status, title, detail } = parts
    super(detail ?? title ?? (status === 0 ? 'No answer from the service.' : `HTTP ${status}`), { cause })
    this.status = status
    Object.assign(this, parts)
  }

  /** Whether the write may have happened: no answer came, or one of a gateway, of a crash or in another form. */
  get mayHaveHappened(): boolean {
    const { status } = this
    return (
      this.outcomeUnknown ||
      (status >= 500 && status !== 501 && status !== 503) ||
      (status >= 200 && status < 300)
    )
  }

  /** Whether the refusal shows that the service's data is not what this console knows: gone, or there already. */
  get showsOtherState(): boolean {
    return this.status === 404 || this.status === 409
  }

  /** Returns the scope that a 403 names, in its body or in `WWW-Authenticate` (RFC 6750). */
  get missingScope(): string | undefined {
    return this.status === 403 ? /\b[a-z]+:[a-z]+\b/.exec(this.detail ?? this.title ?? '')?.[0] : undefined
  }
}

/** Reads a failed response in whatever form a service sends it: problem details, other JSON, HTML or none. */
export async function readFailure(response: Response, isWrite: boolean): Promise<ApiError> {
  const retryAfter = response.headers.get('Retry-After')
  const parts: ApiErrorParts = {
    status: response.status,
    requestId: response.headers.get('X-Request-Id') ?? undefined,
    retryAfterSeconds: retryAfter === null ? undefined : retryAfterSeconds(retryAfter),
    // After a gateway timeout or error the write behind it may have happened.
    outcomeUnknown: isWrite && (response.status === 502 || response.status === 504),
  }
  const challenged = /scope="?([^",]+)/.exec(response.headers.get('WWW-Authenticate') ?? '')?.[1]
  const body = problem.safeParse(await response.json().catch(() => undefined))
  if (!body.success) return new ApiError({ ...parts, detail: challenged })
  const { code, title, detail, errors, instance, users, noRole } = body.data
  return new ApiError({
    ...parts,
    code,
    title,
    detail: detail ?? challenged,
    errors: errors ?? [],
    users: Array.isArray(users) ? users.filter((id) => typeof id === 'string') : [],
    noRole,
    requestId: instance ?? parts.requestId,
  })
}

/** Parses `Retry-After`: seconds or an HTTP date (RFC 9110, 10.2.3). */
function retryAfterSeconds(value: string): number | undefined {
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds))
}
