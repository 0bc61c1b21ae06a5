import { Box, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'

import type { Membership, Segment } from '#contract/index.ts'
import { links } from '../../domain/links.ts'
import { useDenied } from '../../auth/use-session.ts'
import { evaluationText } from '../../messages/index.ts'
import { Evaluation } from '../../domain/filters/Evaluation.tsx'
import { useKnown } from '../../domain/filters/use-known.ts'
import { kindOf } from '../../domain/failures/describe.ts'
import { QueryFailure } from '../../domain/failures/InlineFailure.tsx'
import { usePeople } from '../../domain/people/use-people.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import { isUserId, UserSuggest } from '../../domain/people/UserSuggest.tsx'
import { shortId } from '../../ui/ShortId.tsx'
import { SkeletonRows } from '../../ui/skeletons/SkeletonRows.tsx'
import { whyQuery } from '../../domain/queries/segments.ts'

interface CheckedUser {
  readonly id: string
  readonly name: string
}

/** Links inside a sentence need an underline, because colour alone does not distinguish them. */
const underlined = { textDecoration: 'underline' }

export function MembershipCheck({ segment }: { readonly segment: Segment }) {
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

interface MembershipAnswerProps {
  readonly user: CheckedUser
  readonly segment: Segment
}

function MembershipAnswer({ user, segment }: MembershipAnswerProps) {
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
