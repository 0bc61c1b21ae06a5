import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'

import type { Filter } from '#contract/index.ts'
import { offers } from '../../../api/index.ts'
import { links } from '../../../domain/links.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { segmentPreviewText } from '../../../messages/index.ts'
import { InlineFailure } from '../../../domain/failures/InlineFailure.tsx'
import { Timestamp } from '../../../ui/Timestamp.tsx'
import { useSettled } from '../../../ui/use-settled.ts'
import { userCountQuery } from '../../../domain/queries/users.ts'
import { previewQuery } from '../queries.ts'
import { memberEmail, memberName } from '../member.ts'
import classes from './Preview.module.css'

/** Between two keystrokes nothing is counted. */
const settledMs = 350

export interface PreviewProps {
  /** Absent while it is not finished. */
  readonly filter: Filter | undefined
  readonly tz: string
}

/** Who would be in the segment. Whatever comes of it, the segment can be saved. */
export function Preview(props: PreviewProps) {
  const mayNotRead = useDenied('users:read')
  const titleId = useId()
  return (
    <section aria-labelledby={titleId} className={classes.root}>
      <h2 id={titleId} className={classes.heading}>
        {segmentPreviewText.title}
      </h2>
      {mayNotRead !== undefined ? (
        <p className="ds-dimmed">{mayNotRead}</p>
      ) : offers('segments.preview') ? (
        <Counted {...props} />
      ) : (
        <p className="ds-dimmed">{segmentPreviewText.bare}</p>
      )}
    </section>
  )
}

function Counted({ filter, tz }: PreviewProps) {
  const body = filter && { filter, tz }
  const request = body === undefined ? '' : JSON.stringify(body)
  const isSettled = useSettled(request, settledMs) === request
  const { data, error, isFetching, isPlaceholderData, dataUpdatedAt, refetch } = useQuery({
    ...previewQuery(request, body),
    enabled: body !== undefined && isSettled,
    placeholderData: keepPreviousData,
  })
  const { data: everyone } = useQuery(userCountQuery(''))
  const isOld = isPlaceholderData || body === undefined

  return (
    <>
      {data && (
        <div data-old={isOld || undefined} className={classes.found}>
          <p className={classes.count}>
            <strong>{segmentPreviewText.users(data.total, data.atLeast === true)}</strong>{' '}
            {typeof everyone === 'number' && (
              <span className="ds-dimmed">{segmentPreviewText.of(everyone)}</span>
            )}
          </p>
          <Users {...data} />
        </div>
      )}
      {error !== null && !isFetching && body !== undefined && isSettled ? (
        <InlineFailure
          title={segmentPreviewText.failed}
          error={error}
          own={{ kept: segmentPreviewText.failedBody }}
          onRetry={() => void refetch()}
        />
      ) : (
        <output className={classes.state}>{stateOf()}</output>
      )}
    </>
  )

  function stateOf(): ReactNode {
    if (body === undefined)
      return data
        ? `${segmentPreviewText.unfinished} ${segmentPreviewText.before}`
        : segmentPreviewText.unfinished
    if (!isSettled || isFetching || !data) return segmentPreviewText.counting
    const seconds = (data.tookMs / 1000).toFixed(data.tookMs < 1000 ? 2 : 1)
    return (
      <>
        {segmentPreviewText.counted} <Timestamp value={new Date(dataUpdatedAt).toISOString()} />{' '}
        <time dateTime={`PT${seconds}S`}>{segmentPreviewText.took(seconds)}</time>.{' '}
        {data.atLeast === true && segmentPreviewText.stopped}
      </>
    )
  }
}

interface UsersProps {
  readonly total: number
  readonly atLeast?: boolean | undefined
  readonly users: Parameters<typeof memberName>[0][]
}

function Users({ total, atLeast, users }: UsersProps) {
  const listId = useId()
  if (users.length === 0)
    return atLeast === true ? null : <p className="ds-dimmed">{segmentPreviewText.nobody}</p>
  const isAll = atLeast !== true && users.length === total
  return (
    <>
      <p id={listId} className={classes.some}>
        {isAll ? segmentPreviewText.all : segmentPreviewText.some(users.length)}
      </p>
      <ul aria-labelledby={listId} className={classes.users}>
        {users.map((user) => {
          const name = memberName(user) ?? segmentPreviewText.noName
          return (
            <li key={user.id} className={classes.user}>
              {/* Beside the form, which somebody is in the middle of. */}
              <Link
                to={links.user(user.id)}
                target="_blank"
                aria-label={segmentPreviewText.opens(name)}
                className={classes.name ?? ''}
              >
                {name}
              </Link>
              <span className={classes.email}>{memberEmail(user)}</span>
            </li>
          )
        })}
      </ul>
    </>
  )
}
