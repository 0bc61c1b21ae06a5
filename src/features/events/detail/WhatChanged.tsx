import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import type { Event } from '#contract/index.ts'
import { ApiError, offers } from '../../../api/index.ts'
import { links } from '../../../domain/links.ts'
import { keepsErasures } from '../../../domain/queries/erasures.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { eventText } from '../../../messages/index.ts'
import { Changes } from '../../../domain/changes/Changes.tsx'
import { Why } from '../../../domain/changes/Why.tsx'
import { InlineFailure } from '../../../domain/failures/InlineFailure.tsx'
import { SkeletonRows } from '../../../ui/SkeletonRows.tsx'
import { changesetQuery } from '../../../domain/queries/changesets.ts'
import { EventSection } from './EventPanel.tsx'

const text = eventText.changes

/** What the write behind an event changed, old → new; nothing where there was none, or where the service does not tell. */
export function WhatChanged({ event: { type, properties } }: { readonly event: Event }) {
  const { user, changeset } = properties
  if (!offers('changesets') || typeof user !== 'string' || typeof changeset !== 'string') return null
  return (
    <EventSection title={text.title} label={text.title}>
      {type === 'USER_DELETED' ? (
        <Deletion userId={user} />
      ) : (
        <Loaded userId={user} changesetId={changeset} />
      )}
    </EventSection>
  )
}

/** What was changed went with the user. */
function Deletion({ userId }: { readonly userId: string }) {
  if (!keepsErasures()) return <p className="ds-dimmed">{text.gone}</p>
  return <Link to={links.deletionReceipt(userId)}>{text.receipt}</Link>
}

function Loaded({ userId, changesetId }: { readonly userId: string; readonly changesetId: string }) {
  const denied = useDenied('users:read', 'entities:read')
  const { data, error, isFetching, refetch } = useQuery({
    ...changesetQuery(userId, changesetId),
    enabled: denied === undefined,
  })
  if (denied !== undefined) return <p className="ds-dimmed">{denied}</p>
  if (data)
    return (
      <>
        <Why {...data} />
        <Changes changeset={data} />
      </>
    )
  if (!error || isFetching) return <SkeletonRows rows={2} height="30px" />
  if (error instanceof ApiError && error.status === 404) return <p className="ds-dimmed">{text.gone}</p>
  return <InlineFailure title={text.failed} error={error} onRetry={() => void refetch()} />
}
