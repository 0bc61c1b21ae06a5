import { useLocation, useNavigate } from 'react-router'

import { links } from '../../domain/links.ts'
import { Pager } from '../../ui/Pager.tsx'
import { type AuditAsked, filterOf } from './filter.ts'

/** The pages before this one, as their addresses have them: they stand in the history entry. */
interface Trail {
  readonly trail?: readonly { readonly after: string; readonly rows: number }[]
}

export interface PagesProps {
  readonly asked: AuditAsked
  readonly rows: number
  readonly next: string
}

/** To the pages before and behind the one that is shown. */
export function Pages({ asked, rows, next }: PagesProps) {
  const navigate = useNavigate()
  const { trail = [] } = (useLocation().state ?? {}) as Trail
  const isFirst = asked.after === undefined
  if (isFirst && next === '') return null
  const go = (after: string, before: NonNullable<Trail['trail']>) =>
    void navigate(links.audit({ ...filterOf(asked), after }), { state: { trail: before } satisfies Trail })
  const above = trail.reduce((sum, page) => sum + page.rows, 0)
  const isKnown = isFirst || trail.length > 0
  return (
    <Pager
      {...(isKnown && rows > 0 && { from: above + 1, to: above + rows })}
      onFirst={isFirst ? undefined : () => go('', [])}
      onPrevious={trail.length === 0 ? undefined : () => go(trail.at(-1)?.after ?? '', trail.slice(0, -1))}
      onNext={next === '' ? undefined : () => go(next, [...trail, { after: asked.after ?? '', rows }])}
    />
  )
}
