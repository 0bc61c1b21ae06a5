import { useQuery } from '@tanstack/react-query'

import { userEditText } from '../../messages/index.ts'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { SaveCopy } from '../../domain/subject-access/SaveCopy.tsx'
import { deleteUser, erasuresQuery } from './queries.ts'
import { type UserWithoutInvitation } from '../../domain/queries/users.ts'
import { emailOf, nameOf } from '../../domain/people/user-fields.ts'
import { DeleteDialog } from '../../domain/writing/DeleteDialog.tsx'

const text = userEditText.remove

export interface DeleteUserProps {
  readonly user: UserWithoutInvitation
  /** Gone: leave the page. With what there is to say about when that is final. */
  readonly onDeleted: (afterwards: string | undefined) => Promise<void>
  readonly onClose: () => void
}

export function DeleteUser({ user, onDeleted, onClose }: DeleteUserProps) {
  const { data: erasures } = useQuery(erasuresQuery())
  const final = erasures && (erasures.isByService ? text.byService : text.byOperator)
  return (
    <DeleteDialog
      title={text.title(nameOf(user) ?? emailOf(user) ?? text.nameless)}
      word={emailOf(user) ?? text.word}
      action={text.submit}
      deletion={deleteUser(user.id)}
      failed={userEditText.failure.title}
      own={text.failure}
      onDeleted={() => onDeleted(final?.afterwards)}
      onClose={onClose}
    >
      <p>{text.body}</p>
      {erasures && final && (
        <p className="ds-dimmed">
          {final.before}
          {erasures.total > 0 && (
            <>
              {' '}
              {text.waiting(erasures.total)} <Timestamp value={erasures.since} />.
            </>
          )}
        </p>
      )}
      <SaveCopy userId={user.id} />
    </DeleteDialog>
  )
}
