import { auditKinds } from '#contract/index.ts'
import { isUserId } from '../../domain/people/UserSuggest.tsx'
import { auditText } from '../../messages/index.ts'
import { momentOf, typedMoment } from '../../ui/moments.tsx'
import type { Zones } from '../../ui/time.ts'
import type { AuditFilter } from './filter.ts'

const text = auditText.filter

/** As it is typed. What is typed to find a user stands nowhere else. */
export interface Draft {
  readonly user: string
  /** An id that stands for somebody who was found. */
  readonly chosen: string
  readonly actor: string
  readonly key: string
  readonly kind: string
  readonly from: string
  readonly to: string
}
export type Problems = Partial<Record<'user' | 'from' | 'to', string>>

export function draftOf(
  { user = '', actor = '', key = '', kind, from, to }: AuditFilter,
  shown: Zones['shown'],
): Draft {
  return {
    user,
    chosen: user,
    actor,
    key,
    kind: kind ?? '',
    from: typedMoment(from, shown),
    to: typedMoment(to, shown),
  }
}

export function filterOf({ user, actor, key, kind, from, to }: Draft, shown: Zones['shown']): AuditFilter {
  return {
    user: user.trim() || undefined,
    actor: actor.trim() || undefined,
    key: key.trim() || undefined,
    kind: auditKinds.find((each) => each === kind),
    from: momentOf(from, shown),
    to: momentOf(to, shown),
  }
}

export function problemsOf(draft: Draft, shown: Zones['shown']): Problems {
  const problems: Problems = {}
  const user = draft.user.trim()
  if (user !== '' && user !== draft.chosen && !isUserId(user)) problems.user = text.nobody
  const { from, to } = filterOf(draft, shown)
  if (from === undefined && draft.from.trim() !== '') problems.from = text.badTime
  if (to === undefined && draft.to.trim() !== '') problems.to = text.badTime
  if (from !== undefined && to !== undefined && from >= to) problems.to ??= text.badSpan
  return problems
}
