import { Box, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'

import type { Segment } from '#contract/index.ts'
import { offers } from '../../api/index.ts'
import { links } from '../../domain/links.ts'
import { useDenied } from '../../auth/use-session.ts'
import { judgementText } from '../../messages/index.ts'
import { Judgement } from '../../domain/filters/Judgement.tsx'
import { useKnown } from '../../domain/filters/use-known.ts'
import { kindOf } from '../../domain/failures/describe.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { Suggest } from '../../domain/values/Suggest.tsx'
import { whyQuery } from '../../domain/queries/segments.ts'
import { type Candidate, useCandidates } from './use-candidates.ts'

const text = judgementText.check

/** Within a sentence the colour alone does not tell a link. */
const underlined = { textDecoration: 'underline' }

/** Whether a user is in a segment, and why: for one who is looked for. */
export function MembershipCheck({ segment }: { readonly segment: Segment }) {
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<Candidate>()
  const mayNot = useDenied('users:read')
  const isSearched = offers('users.search')
  const { options, note, isSure } = useCandidates(typed.trim(), isOpen)
  if (mayNot !== undefined) return <p className="ds-dimmed">{mayNot}</p>
  return (
    <Stack gap="sm">
      <Box display="flex" maw={440}>
        <Suggest
          label={text.label}
          value={typed}
          onChange={setTyped}
          placeholder={isSearched ? text.search : text.byId}
          // The longest text that a service searches for.
          maxLength={200}
          listLabel={text.users}
          options={options}
          note={note}
          enterTakes={isSure ? 'first' : 'none'}
          idOf={({ id }) => id}
          renderOption={({ name, details }) => (
            <div>
              {name}
              <Text c="dimmed" fz="xs">
                {details}
              </Text>
            </div>
          )}
          onChoose={(candidate) => {
            setTyped(candidate.name)
            setChosen(candidate)
          }}
          onOpenChange={setOpen}
        />
      </Box>
      {chosen &&
        (offers('users.segments') ? (
          <Answer key={chosen.id} user={chosen} segment={segment} />
        ) : (
          <p>
            {text.bare}{' '}
            <Link to={links.userSegments(chosen.id)} style={underlined}>
              {text.open}
            </Link>
          </p>
        ))}
    </Stack>
  )
}

interface AnswerProps {
  readonly user: Candidate
  readonly segment: Segment
}

function Answer({ user, segment }: AnswerProps) {
  const { data, error, refetch, isFetching } = useQuery(whyQuery(user.id))
  const known = useKnown(user.id)
  if (error && !data) {
    if (kindOf(error) === 'missing') return <p role="alert">{text.gone}</p>
    return (
      <InlineFailure
        title={judgementText.failed}
        error={error}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    )
  }
  if (!data) return <SkeletonRows rows={2} />
  const membership = data.find(({ id }) => id === segment.id)
  return (
    <>
      <Text component="output" fw={500}>
        <Link to={links.userSegments(user.id, { why: segment.id })} style={underlined}>
          {user.name}
        </Link>{' '}
        {membership
          ? membership.member === null
            ? text.unknown
            : text.member(membership.member)
          : judgementText.gone}
      </Text>
      {membership?.why && <Judgement known={known} segmentId={segment.id} judged={membership.why} />}
    </>
  )
}
