import { IconUsers } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'
import * as z from 'zod'

import { BackLink } from '../../domain/BackLink.tsx'
import { conditionInBrief } from '../../domain/filters/sentence.ts'
import { links } from '../../domain/links.ts'
import { segmentQuery } from '../../domain/queries/segments.ts'
import { userCountQuery } from '../../domain/queries/users.ts'
import { segmentName } from '../../domain/segments/names.ts'
import { BackToList } from '../../domain/user-list/BackToList.tsx'
import { audienceOf, isFromList, type ListCondition, recallList } from '../../domain/user-list/list-state.ts'
import { batchText } from '../../messages/index.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { BatchForm } from './BatchForm.tsx'

/** Schema of the history state: ids of the users selected in the list. */
const selectionState = z.object({ ids: z.array(z.string()).min(1) })

export function BatchPage() {
  const [address] = useSearchParams()
  const { state, key } = useLocation()
  const segment = address.get('segment')
  const { data } = selectionState.safeParse(state)
  const client = useQueryClient()
  // The list's state is read only once, so that the batch keeps its target however long this page is open.
  const [listed] = useState(() => {
    const entry = recallList(client, state)
    if (!entry) return undefined
    const target = audienceOf(entry)
    return target && { ...entry, target }
  })
  const chosen = data
    ? { target: { ids: data.ids }, below: batchText.chosen({ count: data.ids.length }) }
    : listed && {
        target: listed.target,
        below: batchText.listed({ conditions: summarize(listed.conditions) }),
      }
  if (segment !== null) return <SegmentBatch key={segment} id={segment} />
  if (listed && 'segment' in listed.target)
    return <SegmentBatch key={key} id={listed.target.segment} above={<BackToList />} />
  if (chosen)
    return (
      <>
        <PageHeader above={<BackToList />} title={batchText.title} below={chosen.below} />
        <BatchForm key={key} target={chosen.target} />
      </>
    )
  return (
    <>
      <PageHeader above={<BackToList />} title={batchText.title} />
      <EmptyState
        icon={<IconUsers size={32} stroke={1.25} />}
        title={isFromList(state) ? batchText.listGone : batchText.nobody}
        action={<Link to={links.users()}>{batchText.toList}</Link>}
      >
        {isFromList(state) ? batchText.listGoneBody : batchText.nobodyBody}
      </EmptyState>
    </>
  )
}

const summarize = (conditions: readonly ListCondition[]) =>
  conditions.map(({ filter }) => conditionInBrief(filter)).join(', ')

interface SegmentBatchProps {
  readonly id: string
  /** Link back; by default, to the segment. */
  readonly above?: ReactNode
}

function SegmentBatch({ id, above }: SegmentBatchProps) {
  const { data: segment } = useQuery(segmentQuery(id))
  const { data: count } = useQuery(userCountQuery(id))
  const name = segment ? segmentName(segment) : '…'
  return (
    <>
      <PageHeader
        above={above ?? <BackLink to={links.segment(id)}>{name}</BackLink>}
        title={batchText.title}
        below={
          <>
            {batchText.members({ segment: name })}
            {typeof count === 'number' && ` · ${batchText.membersCount({ count })}`}
          </>
        }
      />
      <BatchForm target={{ segment: id }} />
    </>
  )
}
