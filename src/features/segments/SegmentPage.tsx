import { Box, Stack, Text, Title } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useParams } from 'react-router'

import { type Filter, type Membership, readAnsweredFilter, type Segment, type User } from '#contract/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { BackLink } from '../../domain/BackLink.tsx'
import { kindOf } from '../../domain/failures/describe-failure.ts'
import { QueryFailure } from '../../domain/failures/InlineFailure.tsx'
import { Evaluation, Rail, useKnown } from '../../domain/filters/Evaluation.tsx'
import { conditionInWords, groupOf, type SentenceContext, sentenceOf } from '../../domain/filters/sentence.ts'
import { hasPage, links } from '../../domain/links.ts'
import { usePeople } from '../../domain/people/use-people.ts'
import { emailOf, nameOf } from '../../domain/people/user-fields.ts'
import { type FoundUser, isUserId, UserSuggest } from '../../domain/people/UserSuggest.tsx'
import { segmentHistoryQuery, segmentQuery, segmentsQuery, whyQuery } from '../../domain/queries/segments.ts'
import { usersQuery } from '../../domain/queries/users.ts'
import { segmentName, segmentNamesById } from '../../domain/segments/names.ts'
import { sizesInWords, Trend } from '../../domain/segments/Trend.tsx'
import { evaluationText, segmentDetailText, segmentPreviewText, segmentText } from '../../messages/index.ts'
import { WithAvatar } from '../../ui/Avatar.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { type Column, DataTable, rowLink } from '../../ui/DataTable.tsx'
import { Fact, Facts, UnknownFacts } from '../../ui/Facts.tsx'
import { None } from '../../ui/None.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { ShortId, shortId } from '../../ui/ShortId.tsx'
import { SkeletonRows } from '../../ui/skeletons/SkeletonRows.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { dependentsOf, hasUnreadable } from './dependents.ts'
import { SegmentActions, SegmentLinks } from './SegmentActions.tsx'
import beside from '../../ui/Beside.module.css'
import classes from './SegmentPage.module.css'

export function SegmentPage() {
  const { segmentId = '' } = useParams()
  const { data: segment } = useSuspenseQuery(segmentQuery(segmentId))
  const { data: all } = useQuery(segmentsQuery())
  const nameById = segmentNamesById(all ?? [segment])
  const { id, description, filter, tz } = segment
  const read = readAnsweredFilter(filter)
  const json = JSON.stringify(filter, null, 2)

  return (
    <>
      <PageHeader
        above={<BackLink to={links.segments()}>{segmentText.title}</BackLink>}
        title={segmentName(segment)}
        below={description !== null && description !== '' && <span dir="auto">{description}</span>}
        actions={<SegmentActions segment={segment} all={all} />}
      />
      <div className={beside.columns}>
        <Stack gap="lg">
          <SegmentSection title={segmentDetailText.who}>
            <Text fz="lg" maw="75ch" textWrap="pretty">
              {filter === undefined
                ? segmentDetailText.noFilter
                : sentenceOf(filter, { tz, segmentName: nameById })}
            </Text>
          </SegmentSection>
          {/* The check and the page of a user's segments need the same request, so one cannot be offered alone. */}
          {hasPage('userSegments') && (
            <SegmentSection title={evaluationText.check.title}>
              <MembershipCheck key={id} segment={segment} />
            </SegmentSection>
          )}
          {filter !== undefined && (
            <>
              <SegmentSection title={segmentDetailText.definition}>
                {read ? (
                  <FilterTree filter={read} context={{ tz, segmentName: nameById }} />
                ) : (
                  <p className="ds-dimmed">{segmentDetailText.customTree}</p>
                )}
              </SegmentSection>
              <details open={!read}>
                <summary className={classes.summary}>{segmentDetailText.json}</summary>
                <Box display="flex" mt="xs" style={{ alignItems: 'flex-start', gap: 4 }}>
                  {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
                  <pre className={classes.json} tabIndex={0}>
                    {json}
                  </pre>
                  <CopyButton value={json} label={segmentDetailText.copyJson} />
                </Box>
              </details>
            </>
          )}
        </Stack>
        <SegmentFacts segment={segment} all={all} />
      </div>
      {/* Below both columns, so that its own have the whole width. */}
      <SegmentSection title={segmentDetailText.members}>
        <Members segmentId={id} />
      </SegmentSection>
    </>
  )
}

interface SegmentFactsProps {
  readonly segment: Segment
  readonly all: readonly Segment[] | undefined
}

function SegmentFacts({ segment, all }: SegmentFactsProps) {
  const { id, name: _, description: _d, filter: _f, tz, created, updated, ...answered } = segment
  // The count and its time are shown above the members.
  const { total: _total, counted: _counted, ...others } = answered
  return (
    <Facts orientation="vertical" gap="sm" className={beside.facts ?? ''}>
      <Fact name={segmentDetailText.usedBy}>
        <UsedBy id={id} />
      </Fact>
      <Fact name={segmentDetailText.id}>
        <ShortId id={id} />
      </Fact>
      <Fact name={segmentDetailText.zone}>{tz ?? 'UTC'}</Fact>
      <Fact name={segmentDetailText.created}>
        <Timestamp value={created} mode="minute" focusable />
      </Fact>
      <Fact name={segmentDetailText.updated}>
        <Timestamp value={updated} mode="minute" focusable />
      </Fact>
      <SizeOverTime id={id} segments={all ?? [segment]} />
      <UnknownFacts members={others} />
    </Facts>
  )
}

function SegmentSection({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Stack component="section" gap="xs">
      <Title order={2} fz="sm" fw={500} c="dimmed">
        {title}
      </Title>
      {children}
    </Stack>
  )
}

function UsedBy({ id }: { readonly id: string }) {
  const query = useQuery(segmentsQuery())
  const { data: segments, error } = query
  if (!segments) return error && <QueryFailure title={segmentDetailText.othersFailed} query={query} />
  const dependents = dependentsOf(id, segments)
  return (
    <>
      {dependents.length === 0 ? segmentDetailText.unused : <SegmentLinks segments={dependents} />}
      {hasUnreadable(segments) && <p className="ds-dimmed">{segmentDetailText.unreadable}</p>}
    </>
  )
}

interface FilterTreeProps {
  readonly filter: Filter
  readonly context: SentenceContext
}

function FilterTree({ filter, context }: FilterTreeProps) {
  if ('user' in filter || 'entity' in filter || 'segment' in filter)
    return <Condition filter={filter} context={context} />
  const { match, parts } = groupOf(filter)
  const empty = { all: segmentDetailText.everyone, any: segmentDetailText.nobody, not: segmentDetailText.not }
  return (
    <Rail
      match={match}
      head={
        <Text c="dimmed" fz="xs" fw={600}>
          {parts.length === 0 ? empty[match] : segmentDetailText[match]}
        </Text>
      }
      parts={parts.map((part, index) => (
        <FilterTree key={index} filter={part} context={context} />
      ))}
    />
  )
}

function Condition({ filter, context }: FilterTreeProps) {
  const { condition, tests } = conditionInWords(filter, context)
  return (
    <>
      <div className={classes.condition}>{condition}</div>
      {tests.length > 0 && (
        <Text component="ul" fz="sm" mt={4} mb={0} pl={20}>
          {tests.map((test, index) => (
            <li key={index}>{test}</li>
          ))}
        </Text>
      )}
    </>
  )
}

/** Size of a segment over time, as a line chart and as text. Appears once loaded; the page does not wait for it. */
function SizeOverTime({ id, segments }: { readonly id: string; readonly segments: readonly Segment[] }) {
  const { data } = useQuery(segmentHistoryQuery(segments))
  const sizes = data?.find((history) => history.id === id)?.sizes ?? []
  if (sizes.length < 2) return null
  return (
    <Fact name={segmentDetailText.sizes}>
      <Stack gap={4} pt={4}>
        <span aria-hidden>
          <Trend sizes={sizes} />
        </span>
        {sizesInWords(sizes)}
      </Stack>
    </Fact>
  )
}

function Members({ segmentId }: { readonly segmentId: string }) {
  const denied = useDenied('users:read')
  const query = useQuery({ ...usersQuery({ segment: segmentId }), enabled: denied === undefined })
  const { data, error, dataUpdatedAt } = query
  if (denied !== undefined) return <p className="ds-dimmed">{denied}</p>
  if (error && !data) return <QueryFailure title={segmentDetailText.membersFailed} query={query} />
  const { users, total, counted, atLeast, next } = data ?? {}
  const hasMore = next !== undefined && next !== null && next !== ''
  return (
    <>
      {/* Reserve one line from the start, so that the table does not move. */}
      <Text mih="1.5em" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {typeof total === 'number' &&
          segmentDetailText.counted.withElements({
            users: segmentPreviewText.users({ count: total, bound: atLeast === true ? 'least' : 'exact' }),
            time: <Timestamp value={counted ?? new Date(dataUpdatedAt).toISOString()} />,
          })}
        {users && hasMore && (
          <>
            {typeof total === 'number' && ' · '}
            {segmentDetailText.first({ shown: users.length })}
          </>
        )}
      </Text>
      <DataTable
        label={segmentDetailText.membersTable}
        columns={memberColumns}
        rows={users}
        rowKey={({ id }) => id}
        skeletonRows={5}
        empty={<p className="ds-dimmed">{segmentDetailText.noMembers}</p>}
      />
    </>
  )
}

const memberColumns: readonly Column<User>[] = [
  {
    id: 'name',
    header: segmentDetailText.memberColumns.name,
    width: '30%',
    cell: (user) => (
      <WithAvatar id={user.id} name={nameOf(user)}>
        <Link to={links.user(user.id)} dir="auto" {...rowLink}>
          {nameOf(user) ?? <span className="ds-dimmed">{segmentDetailText.noName}</span>}
        </Link>
      </WithAvatar>
    ),
  },
  {
    id: 'email',
    header: segmentDetailText.memberColumns.email,
    cell: (user) => emailOf(user) ?? <None />,
  },
  {
    id: 'ref',
    header: segmentDetailText.memberColumns.ref,
    width: '20%',
    tabletWidth: '112px',
    cell: ({ ref }) => ((ref ?? '') === '' ? <None /> : ref),
  },
  {
    id: 'since',
    header: segmentDetailText.memberColumns.since,
    width: '96px',
    narrow: 'labelled',
    cell: ({ since }) => <Timestamp value={since} />,
  },
]

type CheckedUser = Pick<FoundUser, 'id' | 'name'>

/** Links inside a sentence need an underline, because colour alone does not distinguish them. */
const underlined = { textDecoration: 'underline' }

function MembershipCheck({ segment }: { readonly segment: Segment }) {
  const [typed, setTyped] = useState('')
  const [found, setFound] = useState<CheckedUser>()
  const id = typed.trim()
  const [person] = usePeople(isUserId(id) ? [id] : [])
  const chosen = isUserId(id) ? { id, name: (person && nameOf(person)) ?? shortId(id) } : found
  const mayNot = useDenied('users:read')
  if (mayNot !== undefined) return <p className="ds-dimmed">{mayNot}</p>
  return (
    <Stack gap="sm">
      <Box display="flex" maw={440}>
        <UserSuggest
          label={evaluationText.check.label}
          value={typed}
          onChange={setTyped}
          onChoose={(user) => {
            setTyped(user.name)
            setFound(user)
          }}
        />
      </Box>
      {chosen && <MembershipAnswer key={chosen.id} user={chosen} segment={segment} />}
    </Stack>
  )
}

function MembershipAnswer({ user, segment }: { readonly user: CheckedUser; readonly segment: Segment }) {
  const query = useQuery(whyQuery(user.id))
  const { data, error } = query
  const known = useKnown(user.id)
  if (error && !data) {
    if (kindOf(error) === 'missing') return <p role="alert">{evaluationText.check.gone}</p>
    return <QueryFailure title={evaluationText.failed} query={query} />
  }
  if (!data) return <SkeletonRows rows={2} />
  const membership = data.find(({ id }) => id === segment.id)
  const link = (
    <Link to={links.userSegments(user.id, { why: segment.id })} style={underlined}>
      {user.name}
    </Link>
  )
  return (
    <>
      <Text component="output" fw={500}>
        {membership
          ? evaluationText.check[outcomeOf(membership)].withElements({ user: link })
          : evaluationText.gone}
      </Text>
      {membership?.why && <Evaluation known={known} segmentId={segment.id} evaluated={membership.why} />}
    </>
  )
}

function outcomeOf({ member }: Membership): 'in' | 'out' | 'unknown' {
  if (member === null) return 'unknown'
  return member ? 'in' : 'out'
}
