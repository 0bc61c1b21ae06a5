import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'

import { links } from '../../domain/links.ts'
import { usePins } from '../../domain/people/pins.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import type { UserWithoutInvitation } from '../../domain/queries/users.ts'
import { listAddress } from '../../domain/user-list/BackToList.tsx'
import { nothingToLose } from '../../domain/writing/unsaved.tsx'
import { shellText, userEditText } from '../../messages/index.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { showToast } from '../../ui/toast.tsx'
import { recordsDeletions } from './queries.ts'
import { UserMenu } from './UserMenu.tsx'

const DeleteUser = lazyPart(async () => (await import('./DeleteUser.tsx')).DeleteUser)

export function UserActions({ user }: { readonly user: UserWithoutInvitation }) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const [deleting, setDeleting] = useState(false)
  const pins = usePins()

  const leave = async (afterwards: string | undefined) => {
    const { to, state } = listAddress(client)
    if (pins.ids.includes(user.id)) pins.toggle?.(user.id)
    await navigate(to, { state: { ...state, ...nothingToLose }, replace: true })
    showToast({
      message: describeDeletion(nameOf(user), afterwards),
      ...(recordsDeletions() && {
        action: { label: shellText.pages.deletedUsers, onPress: () => void navigate(links.deletedUsers()) },
      }),
    })
  }

  return (
    <>
      <UserMenu userId={user.id} onPrepareDelete={DeleteUser.prefetch} onDelete={() => setDeleting(true)} />
      {deleting && <DeleteUser user={user} onDeleted={leave} onClose={() => setDeleting(false)} />}
    </>
  )
}

function describeDeletion(name: string | undefined, afterwards: string | undefined): string {
  const { named, namedThen, nameless, namelessThen } = userEditText.remove.done
  if (name === undefined) return afterwards === undefined ? nameless : namelessThen({ afterwards })
  return afterwards === undefined ? named({ name }) : namedThen({ name, afterwards })
}
