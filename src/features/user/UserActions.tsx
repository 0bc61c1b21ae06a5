import { useQueryClient } from '@tanstack/react-query'
import { IconDots } from '@tabler/icons-react'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'

import { ApiError } from '../../api/index.ts'
import { shellText, userEditText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { LazyDialog } from '../../ui/LazyDialog.tsx'
import { LazyMenu } from '../../ui/LazyMenu.tsx'
import { showToast } from '../../ui/toast.tsx'
import { nothingToLose } from '../../domain/writing/unsaved.tsx'
import { listAddress } from '../../domain/user-list/BackToList.tsx'
import { forgetUser, readInvitation } from './queries.ts'
import { links } from '../../domain/links.ts'
import { keepsErasures } from '../../domain/queries/erasures.ts'
import { type UserWithoutInvitation } from '../../domain/queries/users.ts'
import { usePins } from '../../domain/people/pins.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import { IconButton } from '../../ui/IconButton.tsx'

const loadMenu = async () => (await import('./UserMenu.tsx')).UserMenu
const loadDeletion = async () => (await import('./DeleteUser.tsx')).DeleteUser

/** What can be done with a user beyond editing: behind ⋯. */
export function UserActions({ user }: { readonly user: UserWithoutInvitation }) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const [deleting, setDeleting] = useState(false)
  const deleted = useRef(false)
  const pins = usePins()
  // Not before the page is gone: it would read the user once more, and fail on the way out.
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
      message: userEditText.remove.done(nameOf(user), afterwards),
      ...(keepsErasures() && {
        action: { label: shellText.pages.deletedUsers, onPress: () => void navigate(links.deletedUsers()) },
      }),
    })
  }

  return (
    <>
      <LazyMenu
        face={<MenuFace />}
        load={loadMenu}
        given={{
          userId: user.id,
          onCopyInvitation: () => void copyInvitation(),
          onDelete: () => setDeleting(true),
        }}
      />
      {deleting && (
        <LazyDialog
          load={loadDeletion}
          given={{ user, onDeleted: leave, onClose: () => setDeleting(false) }}
        />
      )}
    </>
  )
}

function MenuFace(props: ComponentProps<'button'>) {
  return (
    <IconButton
      {...hint(userEditText.user.actions)}
      {...props}
      bordered
      size="large"
      aria-haspopup="menu"
      aria-label={userEditText.user.actions}
    >
      <IconDots size={16} />
    </IconButton>
  )
}
