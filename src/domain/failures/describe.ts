import type { ProblemError } from '#contract/index.ts'

import { ApiError } from '../../api/index.ts'
import { describeDenial } from '../../auth/describe-denial.ts'
import { failureText } from '../../messages/index.ts'
import { isChunkLoadError } from './chunk-load-error.ts'

export type FailureKind =
  /** A write whose answer was lost: it may have been done. */
  | 'lost'
  /** An error of the console itself. */
  | 'fault'
  /** Part of the console's own code could not be loaded. */
  | 'unloaded'
  | 'unreadable'
  | 'offline'
  | 'timeout'
  | 'forbidden'
  | 'missing'
  /** Somebody else keeps writing the same. */
  | 'contended'
  /** The request says something that the service does not accept. */
  | 'invalid'
  | 'busy'
  | 'other'

interface TitledWords {
  /** In place of the title that the screen has for other failures. */
  readonly title?: string
  readonly body: string
}

/** Sentences of one screen that replace those shared by all screens. */
export interface OwnWords {
  /** By the code of the refusal; before the words that all screens share. */
  readonly codes?: Readonly<Record<string, string>>
  readonly lost?: TitledWords
  readonly missing?: TitledWords
  readonly fault?: string
  readonly offline?: string
  /** Used where errors are shown at their own fields. */
  readonly invalid?: string
  readonly busy?: (seconds: number | undefined) => string
  /** Used where the service gives no reason. */
  readonly other?: string
  /** Errors that no field of the form shows; without it, none does. */
  readonly rest?: readonly string[]
  /** Consequences and next steps, said after the reason; not after `lost`, which brings its own. */
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

/** Why something failed, as sentences. */
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
  // The token is fresh: an old one was renewed first.
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

/** Without a sentence for codes whose detail carries a value that no catalogue knows. */
function describeRefusal(code: string | undefined): string | undefined {
  return (failureText.refused as Readonly<Record<string, string>>)[code ?? '']
}

/** Why one place of a request is invalid. */
export function describeInvalid({ code, detail }: Pick<ProblemError, 'code' | 'detail'>): string {
  return (failureText.invalid as Readonly<Record<string, string>>)[code] ?? detail
}
