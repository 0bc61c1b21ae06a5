import { Text } from '@mantine/core'
import { Link } from 'react-router'

import type { Segment, SegmentHistory } from '#contract/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { links } from '../../domain/links.ts'
import { Trend } from '../../domain/segments/Trend.tsx'
import { number } from '../../messages/format.ts'
import { segmentText } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { hint } from '../../ui/Hint.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import classes from './SegmentsPage.module.css'

export interface SegmentSizeProps extends Pick<Segment, 'id' | 'total' | 'counted'> {
  readonly name: string
  /** Day by day, where the service keeps them. */
  readonly sizes: SegmentHistory['sizes'] | undefined
}

/** How many users a segment has, the way to them, what part of everybody they are and how that came about. */
export function SegmentSize({ id, name, total, counted, sizes }: SegmentSizeProps) {
  const isKnown = typeof total === 'number'
  const users = sizes?.at(-1)?.users ?? 0
  const share = isKnown && users > 0 ? Math.min(1, total / users) : undefined
  return (
    <span className={classes.size}>
      {sizes && sizes.length > 1 && <Trend sizes={sizes} className={classes.trend} />}
      <span className={`${classes.cell} ${classes.count}`}>
        <DisabledReason reason={useDenied('users:read')}>
          <Link
            to={links.users({ segment: id })}
            aria-label={isKnown ? segmentText.showCountedUsersOf(name, total) : segmentText.showUsersOf(name)}
          >
            {isKnown ? number(total) : segmentText.showUsers}
          </Link>
        </DisabledReason>
        {isKnown && (
          <Text span c="dimmed" fz="xs" className={classes.below}>
            {share !== undefined && <Share of={share} />}
            <Timestamp value={counted} />
          </Text>
        )}
      </span>
    </span>
  )
}

function Share({ of }: { readonly of: number }) {
  const words = segmentText.share(of)
  return (
    <span className={classes.share} {...hint(words)}>
      <span className="ds-visually-hidden">{words}</span>
      <span className={classes.bar} aria-hidden>
        <span style={{ width: `${Math.max(of * 100, of > 0 ? 4 : 0)}%` }} />
      </span>
    </span>
  )
}
