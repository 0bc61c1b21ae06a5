import { Box, Button, Group, Text } from '@mantine/core'
import { IconChartPie } from '@tabler/icons-react'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'

import type { Membership, Segment } from '#contract/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { QueryFailure, RouteFailure } from '../../domain/failures/InlineFailure.tsx'
import { Evaluation, useKnown } from '../../domain/filters/Evaluation.tsx'
import { links } from '../../domain/links.ts'
import { prefetch } from '../../domain/page-route.ts'
import { segmentsQuery, userSegmentsQuery, whyQuery } from '../../domain/queries/segments.ts'
import { evaluationText, userPageText } from '../../messages/index.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SkeletonRows } from '../../ui/skeletons/SkeletonRows.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import classes from './UserSegmentsPage.module.css'

const userSegmentsText = userPageText.segments

/** Lists the segments by whether the user is in them: yes, no or unknown. */
export function UserSegmentsPage() {
  const { userId = '' } = useParams()
  const { data: memberships } = useSuspenseQuery(userSegmentsQuery(userId))
  const { data: segments = [] } = useQuery(segmentsQuery())
  const known = new Map(segments.map((segment) => [segment.id, segment]))
  if (memberships.length === 0)
    return (
      <EmptyState
        icon={<IconChartPie size={28} stroke={1.5} />}
        title={userSegmentsText.none.title}
        action={
          <Button variant="default" component={Link} to={links.segments()}>
            {userSegmentsText.none.action}
          </Button>
        }
      >
        {userSegmentsText.none.body}
      </EmptyState>
    )
  const rows = (member: Membership['member']) =>
    memberships
      .filter((membership) => membership.member === member)
      .map(({ id, name }) => ({ id, name, member, description: known.get(id)?.description }))
  return (
    <>
      <SegmentGroup title={userSegmentsText.in} rows={rows(true)} empty={userSegmentsText.inNone} />
      <SegmentGroup title={userSegmentsText.notIn} rows={rows(false)} />
      <SegmentGroup title={userSegmentsText.unknown} rows={rows(null)} note={userSegmentsText.unknownBody} />
    </>
  )
}

type ListedSegment = Pick<Membership, 'id' | 'name' | 'member'> & Partial<Pick<Segment, 'description'>>

interface SegmentGroupProps {
  readonly title: string
  readonly rows: readonly ListedSegment[]
  readonly note?: string
  /** Text shown for an empty list; without it, an empty group is not rendered. */
  readonly empty?: string
}

function SegmentGroup({ title, rows, note, empty }: SegmentGroupProps) {
  const titleId = useId()
  if (rows.length === 0 && empty === undefined) return null
  return (
    <Box component="section" aria-labelledby={titleId} pb={24}>
      <Text component="h2" id={titleId} fw={600} pb={4}>
        {title}{' '}
        <Text component="span" inherit c="dimmed" fw={400}>
          {rows.length}
        </Text>
      </Text>
      {note !== undefined && (
        <Text size="sm" c="dimmed" maw={720} pb={8}>
          {note}
        </Text>
      )}
      {rows.length === 0 ? (
        <p className="ds-dimmed">{empty}</p>
      ) : (
        <ul aria-label={userSegmentsText.list({ group: title })} className={classes.list}>
          {rows.map((row) => (
            <SegmentRow key={row.id} row={row} />
          ))}
        </ul>
      )}
    </Box>
  )
}

function SegmentRow({ row }: { readonly row: ListedSegment }) {
  const { id, member, description } = row
  // Explanations reveal entity values, so they require the permission to read entities.
  const mayExplain = useDenied('entities:read') === undefined
  return (
    <Group component="li" gap="4px 16px" mih={44} py={6} className={classes.row ?? ''}>
      <Box flex="1 1 200px" miw={0}>
        <Text component={Link} inherit fw={500} to={links.segment(id)} dir="auto">
          {segmentLabel(row)}
        </Text>
        {description !== null && description !== undefined && description !== '' && (
          <Text size="sm" c="dimmed" dir="auto">
            {description}
          </Text>
        )}
      </Box>
      {mayExplain && member !== null && <WhyButton id={id} isMember={member} name={segmentLabel(row)} />}
    </Group>
  )
}

interface WhyButtonProps {
  readonly isMember: boolean
  readonly id: string
  readonly name: string
}

/** Button that opens an explanation. The URL holds the open ones, so that a link to them can be shared. */
function WhyButton({ isMember, id, name }: WhyButtonProps) {
  const { userId = '' } = useParams()
  const client = useQueryClient()
  const panelId = useId()
  const [search, setSearch] = useSearchParams()
  const isOpen = search.getAll(whyParameter).includes(id)
  const near = () => prefetch(client.query(whyQuery(userId)))
  const toggle = () =>
    setSearch(
      (before) => {
        if (!isOpen) before.append(whyParameter, id)
        else before.delete(whyParameter, id)
        return before
      },
      { replace: true, preventScrollReset: true },
    )
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        aria-label={evaluationText.labelOf[isMember ? 'in' : 'out']({ segment: name })}
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId : undefined}
        onClick={toggle}
        onPointerEnter={near}
        onFocus={near}
      >
        {evaluationText.label[isMember ? 'in' : 'out']}
      </Button>
      {isOpen && (
        <Box id={panelId} flex="1 1 100%" miw={0} pt={4} pb={12}>
          <WhyPanel userId={userId} segmentId={id} isMember={isMember} />
        </Box>
      )}
    </>
  )
}

/** Query parameter used by `links.userSegments`. */
const whyParameter = 'why'

function segmentLabel({ id, name }: Pick<Segment, 'id' | 'name'>): string {
  return name === null || name === undefined || name.trim() === '' ? userSegmentsText.nameless({ id }) : name
}

export const SegmentsFailure = () => <RouteFailure title={userPageText.failed.segments} />

interface WhyPanelProps {
  readonly userId: string
  readonly segmentId: string
  /** Membership according to the list, which may be older than the explanation. */
  readonly isMember: boolean
}

function WhyPanel({ userId, segmentId, isMember }: WhyPanelProps) {
  const query = useQuery(whyQuery(userId))
  const { data, error, dataUpdatedAt } = query
  const known = useKnown(userId)
  if (error && !data) return <QueryFailure title={evaluationText.failed} query={query} />
  if (!data) return <SkeletonRows rows={2} />
  const membership = data.find(({ id }) => id === segmentId)
  if (!membership?.why)
    return <p className="ds-dimmed">{membership ? evaluationText.unknown : evaluationText.gone}</p>
  const { pass } = membership.why
  return (
    <>
      {/* If membership has changed, only this text says so: the row keeps its place, so that nothing moves while it
        is read. */}
      {pass !== isMember && (
        <Text c="var(--ds-changed)" pb={8}>
          {evaluationText.changed[pass ? 'in' : 'out']}
        </Text>
      )}
      <Evaluation known={known} segmentId={segmentId} evaluated={membership.why} />
      <Text size="xs" c="dimmed" pt={8}>
        {evaluationText.asOf.withElements({
          time: <Timestamp value={new Date(dataUpdatedAt).toISOString()} mode="minute" />,
        })}
      </Text>
    </>
  )
}
