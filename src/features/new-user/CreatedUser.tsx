import { Button, Group, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

import { ApiError } from '../../api/index.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { links } from '../../domain/links.ts'
import { useSubmitLock } from '../../domain/writing/use-submit-lock.ts'
import { Callout } from '../../ui/Callout.tsx'
import { type UserValues, whoIs } from '../../domain/people/user-fields.ts'
import { newUserText, userEditText } from '../../messages/index.ts'
import type { Details } from './DetailsSection.tsx'
import { type Detail, planDetails } from './user-details.ts'

const createdUserText = newUserText.made

export interface CreatedUserProps {
  readonly id: string
  readonly values: UserValues
  readonly error: ApiError
  readonly section: Details
  readonly onDone: (userId: string, message: string) => void
  readonly children: ReactNode
}

/**
 * State after a partial success: the user exists, but the details failed or their outcome is unknown. Retries only the
 * details.
 */
export function CreatedUser({ id, values, error, section, onDone, children }: CreatedUserProps) {
  const { details, ready, perform } = section
  const user = whoIs(values)
  const once = useSubmitLock()
  const retry = useMutation({
    mutationFn: async (sent: readonly Detail[]) => perform(id, await planDetails(id, sent)),
    onSuccess: (_, sent) => onDone(id, newUserText.confirm.done({ count: sent.length })),
    gcTime: 0,
  })
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        once((free) => {
          void ready().then((sent) => (sent ? retry.mutate(sent, { onError: free }) : free()))
        })
      }}
    >
      <Stack gap={16}>
        <Stack gap={16} maw={480}>
          <Callout
            title={createdUserText.title}
            actions={<Link to={links.user(id)}>{createdUserText.open}</Link>}
          >
            {user === '' ? createdUserText.bodyNameless : createdUserText.body({ user })}
          </Callout>
          {!retry.isPending && (
            <DetailsFailure error={retry.error instanceof ApiError ? retry.error : error} />
          )}
        </Stack>
        <div>{children}</div>
        <Group justify="flex-end" maw={480} pt={8} pb={24}>
          <Button type="submit" loading={retry.isPending} disabled={details.length === 0}>
            {createdUserText.submit({ count: details.length })}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

export function DetailsFailure({ error }: { readonly error: ApiError }) {
  return (
    <InlineFailure
      title={createdUserText.failed}
      error={error}
      own={{ ...userEditText.failure, lost: createdUserText.lost }}
    />
  )
}
