import { useLocation, useNavigate } from 'react-router'

import { links } from '../../domain/links.ts'
import { Pager } from '../../ui/Pager.tsx'
import type { DeletedAsked } from './queries.ts'

export interface PagesProps {
  readonly asked: DeletedAsked
  readonly rows: number
  readonly next: string
}

/** To the page behind the one that is shown, and to the newest; back is the browser's. */
export function Pages({ asked: { state, offset }, rows, next }: PagesProps) {
  const navigate = useNavigate()
  const { above = offset === undefined ? 0 : undefined } = (useLocation().state ?? {}) as { above?: number }
  if (offset === undefined && next === '') return null
  const to = above === undefined ? undefined : above + rows
  return (
    <Pager
      {...(above !== undefined && rows > 0 && { from: above + 1, to })}
      onFirst={offset === undefined ? undefined : () => void navigate(links.deletedUsers({ state }))}
      onPrevious={above === undefined || above === 0 ? undefined : () => void navigate(-1)}
      onNext={
        next === ''
          ? undefined
          : () => void navigate(links.deletedUsers({ state, offset: next }), { state: { above: to } })
      }
    />
  )
}
