import { useMutation, useQuery } from '@tanstack/react-query'

import { ApiError } from '../../api/index.ts'
import { userEditText } from '../../messages/index.ts'
import { ConfirmByTyping } from '../../ui/ConfirmByTyping.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { SaveCopy } from '../../domain/subject-access/SaveCopy.tsx'
import { deleteUser, erasuresQuery, type UserWithoutInvitation } from '../../domain/queries/users.ts'
import { emailOf, nameOf } from '../../domain/people/user-fields.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'

export interface DeleteUserProps {
  readonly user: UserWithoutInvitation
  /** Gone: leave the page. With what there is to say about when that is final. */
  readonly onDeleted: (afterwards: string | undefined) => Promise<void>
  readonly onClose: () => void
}

export function DeleteUser({ user, onDeleted, onClose }: DeleteUserProps) {
  const name = nameOf(user) ?? emailOf(user) ?? userEditText.remove.nameless
  const remove = useMutation(deleteUser(user.id))
  const { data: erasures } = useQuery(erasuresQuery())
  const final =
    erasures && (erasures.isByService ? userEditText.remove.byService : userEditText.remove.byOperator)
  const confirm = async () => {
    try {
      await remove.mutateAsync()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // Somebody else was faster, or an earlier try did more than its answer told.
      if (error.status !== 404) return
    }
    await onDeleted(final?.afterwards)
  }
  return (
    <ConfirmByTyping
      title={userEditText.remove.title(name)}
      word={emailOf(user) ?? userEditText.remove.word}
      action={userEditText.remove.submit}
      onConfirm={() => void confirm()}
      onClose={onClose}
      pending={remove.isPending || remove.isSuccess}
      failure={
        remove.error instanceof ApiError &&
        remove.error.status !== 404 && (
          <InlineFailure
            title={userEditText.failure.title}
            error={remove.error}
            own={userEditText.remove.failure}
          />
        )
      }
    >
      <p>{userEditText.remove.body}</p>
      {erasures && final && (
        <p className="ds-dimmed">
          {final.before}
          {erasures.total > 0 && (
            <>
              {' '}
              {userEditText.remove.waiting(erasures.total)} <Timestamp value={erasures.since} />.
            </>
          )}
        </p>
      )}
      <SaveCopy userId={user.id} />
    </ConfirmByTyping>
  )
}
