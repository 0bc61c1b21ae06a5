import type { ProblemError } from '#contract/index.ts'
import { ApiError } from '../../api/index.ts'
import { describeDenial } from '../../auth/use-session.ts'
import { failureText } from '../../messages/index.ts'

/**
 * Whether some of the console's code or styles could not be loaded: either an update removed them from the server, or
 * the server is unreachable. Matches the messages of Chrome, Firefox and Safari for a module, and the loader's own
 * message for a stylesheet.
 */
export function isChunkLoadError(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module script failed|unable to preload css/i.test(error.message)
  )
}

export type FailureKind =
  /** The response of a write was lost: the write may have succeeded. */
  | 'lost'
  /** An error in the console's own code. */
  | 'fault'
  /** Part of the console's own code could not be loaded. */
  | 'unloaded'
  | 'unreadable'
  | 'offline'
  | 'timeout'
  | 'forbidden'
  | 'missing'
  /** A concurrent writer keeps changing the same resource. */
  | 'contended'
  /** The service rejects the request as invalid. */
  | 'invalid'
  | 'busy'
  | 'other'

interface TitledWords {
  /** Title that replaces the screen's generic failure title. */
  readonly title?: string
  readonly body: string
}

/** Sentences of one screen that replace those shared by all screens. */
export interface OwnWords {
  /** Texts by error code; they take precedence over the shared texts. */
  readonly codes?: Readonly<Record<string, string>>
  readonly lost?: TitledWords
  readonly missing?: TitledWords
  readonly fault?: string
  readonly offline?: string
  /** Text for an invalid request whose errors are shown at the form fields. */
  readonly invalid?: string
  readonly busy?: (seconds: number | undefined) => string
  /** Text for a failure without a reason from the service. */
  readonly other?: string
  /** Texts of the errors that no form field shows; by default, of all errors. */
  readonly rest?: readonly string[]
  /** Consequences and next steps, appended to the reason. Not appended to `lost`, which has its own. */
  readonly kept?: string
}

export function kindOf(error: unknown): FailureKind {
  if (!(error instanceof ApiError)) return isChunkLoadError(error) ? 'unloaded' : 'fault'
  if (error.outcomeUnknown) return 'lost'
  if (error.code === 'unreadable') return 'unreadable'
  if (error.errors.length > 0) return 'invalid'
  switch (error.status) {
    case 0:
      return error.code === 'timeout' ? 'timeout' : 'offline'
    case 403:
      return 'forbidden'
    case 404:
      return 'missing'
    case 412:
      return 'contended'
    case 422:
      return 'invalid'
    case 429:
    case 503:
      return 'busy'
    default:
      return 'other'
  }
}

/** Describes in sentences why something failed. */
export function describe(error: unknown, own: OwnWords = {}): string {
  const kind = kindOf(error)
  if (kind === 'lost') return own.lost?.body ?? failureText.lost
  const reason = error instanceof ApiError ? reasonOf(error, kind, own) : ownFault(kind, own)
  return own.kept === undefined ? reason : `${reason} ${own.kept}`
}

function ownFault(kind: FailureKind, own: OwnWords): string {
  return kind === 'unloaded' ? failureText.unloaded : (own.fault ?? failureText.fault)
}

function reasonOf(error: ApiError, kind: FailureKind, own: OwnWords): string {
  const named = error.code === undefined ? undefined : own.codes?.[error.code]
  if (named !== undefined) return named
  // The token was valid: an expired one would have been renewed before the request.
  if (error.status === 401) return failureText.notAccepted
  if (error.code === 'sensitive_filter') return failureText.sensitiveFilter
  const refused = error.errors.length > 0 ? undefined : describeRefusal(error.code)
  if (refused !== undefined) return refused
  switch (kind) {
    case 'offline':
      return own.offline ?? failureText.offline
    case 'unreadable':
    case 'timeout':
    case 'contended':
      return failureText[kind]
    case 'forbidden':
      return failureText.forbidden({ denial: describeDenial(error.missingScope) })
    case 'missing':
      return own.missing?.body ?? failureText.missing
    case 'busy':
      return (own.busy ?? describeBusy)(error.retryAfterSeconds)
    case 'invalid': {
      const rest = own.rest ?? error.errors.map(describeInvalid)
      const marked = rest.length < error.errors.length ? [own.invalid ?? failureText.marked] : []
      return [...rest, ...marked].join(' ') || ownReason(error, own)
    }
    case 'fault':
    case 'unloaded':
    case 'lost':
    case 'other':
      return ownReason(error, own)
  }
}

function ownReason({ detail, title }: ApiError, { other }: OwnWords): string {
  return detail ?? title ?? other ?? failureText.other
}

function describeBusy(seconds: number | undefined): string {
  return seconds === undefined ? failureText.busy : failureText.busyFor({ seconds })
}

/** Returns the catalogue's text for an error code. Codes whose detail contains variable values have none. */
function describeRefusal(code: string | undefined): string | undefined {
  return (failureText.refused as Readonly<Record<string, string>>)[code ?? '']
}

/** Describes why one part of a request is invalid. */
export function describeInvalid({ code, detail }: Pick<ProblemError, 'code' | 'detail'>): string {
  return (failureText.invalid as Readonly<Record<string, string>>)[code] ?? detail
}
