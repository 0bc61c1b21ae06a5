import { Box, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'

import type { Segment, User } from '#contract/index.ts'
import { offers } from '../../api/index.ts'
import { links } from '../../domain/links.ts'
import { useDenied } from '../../auth/use-session.ts'
import { judgementText } from '../../messages/index.ts'
import { Judgement } from '../../domain/filters/Judgement.tsx'
import { useKnown } from '../../domain/filters/use-known.ts'
import { emailOf, nameOf } from '../../domain/people/user-fields.ts'
import { kindOf } from '../../domain/failures/describe.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { shortId } from '../../ui/ShortId.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { Suggest } from '../../domain/values/Suggest.tsx'
import { useSettled } from '../../ui/use-settled.ts'
import { usersQuery } from '../../domain/queries/users.ts'
import { whyQuery } from '../../domain/queries/segments.ts'

const text = judgementText.check

/** Within a sentence the colour alone does not tell a link. */
const underlined = { textDecoration: 'underline' }

interface Candidate {
  readonly id: string
  readonly name: string
  readonly details: string
}

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

const debounceMs = 150
const shownUsers = 8

/** Whom the text may mean, while the list is open; without a search it can only be an id. */
function useCandidates(typed: string, isOpen: boolean) {
  const isSearched = offers('users.search')
  const settled = useSettled(typed, debounceMs)
  const isAsked = isOpen && isSearched && typed !== ''
  const { data, isError } = useQuery({
    ...usersQuery({ q: settled }),
    enabled: isAsked && settled === typed,
    // What is looked up is not remembered for long.
    gcTime: 10_000,
  })
  const none: readonly Candidate[] = []
  if (!isOpen || typed === '')
    return { options: none, note: isSearched ? undefined : text.noSearch, isSure: false }
  if (!isSearched)
    return { options: [{ id: typed, name: typed, details: text.withId }], note: undefined, isSure: true }
  if (isError) return { options: none, note: text.failed, isSure: false }
  if (!data || settled !== typed) return { options: none, note: text.searching, isSure: false }
  const { users, similar = false } = data
  const options = users.slice(0, shownUsers).map(candidateOf)
  const isMore = users.length > options.length
  const note = users.length === 0 ? text.nothing : similar ? text.similar : isMore ? text.more : undefined
  return { options, note, isSure: !similar }
}

function candidateOf(user: User): Candidate {
  const details = [emailOf(user), user.ref].filter(Boolean).join(' · ')
  return { id: user.id, name: nameOf(user) ?? text.noName, details: details || shortId(user.id) }
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
