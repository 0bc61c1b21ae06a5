import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { links } from '../../domain/links.ts'
import { newUserText } from '../../messages/index.ts'
import { DetailsFailure } from './MadeUser.tsx'
import { Notice } from '../../domain/people/Notice.tsx'
import { userQuery } from '../../domain/queries/users.ts'
import type { Detail, DetailPlan } from './user-details.ts'
import { nameOf, whoIs } from '../../domain/people/user-fields.ts'
import { ConfirmDetails } from './ConfirmDetails.tsx'

export interface MatchedUserProps {
  /** Absent: the service did not say who it is. */
  readonly id: string | undefined
  readonly details: readonly Detail[]
  /** Details that it is being asked about. */
  readonly asked: readonly Detail[] | undefined
  readonly onAsk: () => void
  readonly onConfirm: (userId: string, plan: DetailPlan) => Promise<'done' | 'changed'>
  readonly onClose: () => void
}

/** Instead of a new user: the one who was there before. */
export function MatchedUser({ id, ...props }: MatchedUserProps) {
  const { unknownIdTitle, unknownIdBody, unknownIdDetails, toList } = newUserText
  return id === undefined ? (
    <Notice title={unknownIdTitle} actions={<Link to={links.users()}>{toList}</Link>}>
      {unknownIdBody} {props.details.length > 0 && unknownIdDetails}
    </Notice>
  ) : (
    <KnownUser id={id} {...props} />
  )
}

function KnownUser(props: MatchedUserProps & { readonly id: string }) {
  const { id, details, asked, onAsk, onConfirm, onClose } = props
  const { data } = useQuery(userQuery(id))
  const who = data && whoIs(data.user)
  return (
    <>
      <Notice
        title={newUserText.exists.title}
        actions={
          <>
            <Link to={links.user(id)}>{newUserText.exists.openUser}</Link>
            {details.length > 0 && (
              <Button size="compact-sm" variant="default" onClick={onAsk}>
                {newUserText.exists.add(details.length)}
              </Button>
            )}
          </>
        }
      >
        {who === undefined ? newUserText.exists.body : newUserText.exists.who(who)}
      </Notice>
      {asked && (
        <ConfirmDetails
          userId={id}
          name={data && nameOf(data.user)}
          who={who}
          details={asked}
          onConfirm={(plan) => onConfirm(id, plan)}
          onClose={onClose}
          renderFailure={(error) => <DetailsFailure error={error} />}
        />
      )}
    </>
  )
}
