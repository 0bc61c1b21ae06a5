import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'

import { ApiError } from '../../api/index.ts'
import { shellText, userEditText } from '../../messages/index.ts'
import { showToast } from '../../ui/toast.tsx'
import { nothingToLose } from '../../domain/writing/unsaved.tsx'
import { listAddress } from '../../domain/user-list/BackToList.tsx'
import { forgetUser, readInvitation } from './queries.ts'
import { links } from '../../domain/links.ts'
import { type UserWithoutInvitation } from '../../domain/queries/users.ts'
import { usePins } from '../../domain/people/pins.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import { DeleteUser } from './DeleteUser.tsx'
import { UserMenu } from './UserMenu.tsx'

export interface UserActionsProps {
  readonly user: UserWithoutInvitation
  readonly recordsDeletions: boolean
}

export function UserActions({ user, recordsDeletions }: UserActionsProps) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const [deleting, setDeleting] = useState(false)
  const deleted = useRef(false)
  const pins = usePins()
  // Clears the cache only after the page is left; otherwise the page would read the deleted user again and fail.
  useEffect(
    () => () => {
      if (deleted.current) forgetUser(client, user.id)
    },
    [client, user.id],
  )

  const copyInvitation = async () => {
    const { invitationCopied, invitationMissing, invitationFailed } = userEditText.user
    try {
      const link = await readInvitation(user.id)
      if (link === undefined) return showToast({ tone: 'failure', message: invitationMissing })
      await navigator.clipboard.writeText(link)
      showToast({ message: invitationCopied })
    } catch (error) {
      const requestId = error instanceof ApiError ? error.requestId : undefined
      showToast({ tone: 'failure', message: invitationFailed, requestId })
    }
  }
  const leave = async (afterwards: string | undefined) => {
    const { to, state } = listAddress(client)
    deleted.current = true
    if (pins.ids.includes(user.id)) pins.toggle?.(user.id)
    await navigate(to, { state: { ...state, ...nothingToLose }, replace: true })
    showToast({
      message: describeDeletion(nameOf(user), afterwards),
      ...(recordsDeletions && {
        action: { label: shellText.pages.deletedUsers, onPress: () => void navigate(links.deletedUsers()) },
      }),
    })
  }

  return (
    <>
      <UserMenu
        userId={user.id}
        onCopyInvitation={() => void copyInvitation()}
        onDelete={() => setDeleting(true)}
      />
      {deleting && (
        <DeleteUser
          user={user}
          isRecorded={recordsDeletions}
          onDeleted={leave}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  )
}

function describeDeletion(name: string | undefined, afterwards: string | undefined): string {
  const { named, namedThen, nameless, namelessThen } = userEditText.remove.done
  if (name === undefined) return afterwards === undefined ? nameless : namelessThen({ afterwards })
  return afterwards === undefined ? named({ name }) : namedThen({ name, afterwards })
}
