import { IconCheck, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import type { Entity, Segment } from '#contract/index.ts'

import { judgementText } from '../../messages/index.ts'
import classes from './Judgement.module.css'

/** What is known of the things that a judgement names. */
export interface Known {
  readonly segments: readonly Pick<Segment, 'id' | 'name' | 'tz'>[]
  /** The user's; absent where they may not be read, or are not yet. */
  readonly entities: readonly Entity[] | undefined
  readonly renderLink: (
    target: { readonly segment: string } | { readonly entity: string },
    name: string,
  ) => ReactNode
}

export interface LineProps {
  readonly pass: boolean
  readonly decisive: boolean
  readonly found?: ReactNode
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** A condition, whether it holds, and what was found. */
export function Line({ pass, decisive, found, className = '', children }: LineProps) {
  const Icon = pass ? IconCheck : IconX
  return (
    <div className={`${classes.line} ${className}`} data-decisive={decisive}>
      <span className={classes.mark}>
        <Icon size={15} stroke={2.25} aria-hidden />
        <span className="ds-visually-hidden">{pass ? judgementText.holds : judgementText.fails}</span>
      </span>
      <span className={classes.needed}>{children}</span>
      {found !== undefined && <span className={classes.found}>{found}</span>}
    </div>
  )
}
