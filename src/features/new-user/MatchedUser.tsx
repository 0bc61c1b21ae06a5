import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'

import { isRefused } from '../../domain/loading.ts'
import { links } from '../../domain/links.ts'
import { Callout } from '../../ui/Callout.tsx'
import { nameOf, whoIs } from '../../domain/people/user-fields.ts'
import { userQuery } from '../../domain/queries/users.ts'
import { newUserText } from '../../messages/index.ts'
import { ConfirmDetails } from './ConfirmDetails.tsx'
import type { Details } from './DetailsSection.tsx'
import { type DetailPlan, planDetails, isSamePlan } from './user-details.ts'

export interface MatchedUserProps {
  /** Id of the existing user; undefined if the service did not return it. */
  readonly id: string | undefined
  readonly section: Details
  readonly onDone: (userId: string, message: string) => void
}

export function MatchedUser({ id, ...props }: MatchedUserProps) {
  const { unknownIdTitle, unknownIdBody, unknownIdDetails, toList } = newUserText
  return id === undefined ? (
    <Callout title={unknownIdTitle} actions={<Link to={links.users()}>{toList}</Link>}>
      {unknownIdBody} {props.section.details.length > 0 && unknownIdDetails}
    </Callout>
  ) : (
    <KnownUser id={id} {...props} />
  )
}

function KnownUser({ id, section, onDone }: MatchedUserProps & { readonly id: string }) {
  const { details, ready, perform } = section
  const { data } = useQuery(userQuery(id))
  const who = data && whoIs(data.user)
  // Details typed for a new user are offered to the existing one immediately.
  const [asked, setAsked] = useState(details.length > 0 ? details : undefined)
  /**
   * Carries out exactly the plan that was shown; if it has changed, returns `changed` so that the new one is shown
   * first.
   */
  const confirm = async (shown: DetailPlan) => {
    const plan = await planDetails(id, asked ?? [])
    if (plan.changes.length > 0 && !isSamePlan(plan, shown)) return 'changed'
    try {
      await perform(id, plan)
    } catch (error) {
      if (isRefused(error, 412)) return 'changed'
      throw error
    }
    onDone(id, newUserText.confirm.done({ count: shown.changes.length }))
    return 'done'
  }
  return (
    <>
      <Callout
        title={newUserText.exists.title}
        actions={
          <>
            <Link to={links.user(id)}>{newUserText.exists.openUser}</Link>
            {details.length > 0 && (
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => void ready().then((sent) => sent && setAsked(sent))}
              >
                {newUserText.exists.add({ count: details.length })}
              </Button>
            )}
          </>
        }
      >
        {who === undefined ? newUserText.exists.body : newUserText.exists.who({ user: who })}
      </Callout>
      {asked && (
        <ConfirmDetails
          userId={id}
          name={data && nameOf(data.user)}
          who={who}
          details={asked}
          onConfirm={confirm}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}
