import { mutationOptions, useMutation } from '@tanstack/react-query'

import { api, offers, refresh } from '../../api/index.ts'
import { useDenied, usePerson } from '../../auth/use-session.ts'
import { userSaver } from '../../domain/people/save-user.ts'
import type { UserFieldName, UserValues } from '../../domain/people/user-fields.ts'
import { findChangeset } from '../../domain/queries/changesets.ts'
import { tellNotUndone, tellUndone, undoReason } from '../../domain/restoring/undone.ts'
import { userText } from '../../messages/index.ts'
import { readUser } from './queries.ts'

/** A field that was saved alone, with all fields before and after. */
interface SavedField {
  readonly field: UserFieldName
  readonly before: UserValues
  readonly now: UserValues
}

/** Returns a function that puts one field back as it was, unless somebody else has changed it since. */
export function useUndoField(id: string): (saved: SavedField) => void {
  const mayFind = useDenied('events:read', 'users:read', 'entities:read') === undefined
  const { subject } = usePerson()
  return useMutation(undoField(id, mayFind ? subject : undefined)).mutate
}

/** @param actor Person whose write is undone; undefined if the writes cannot be read. */
function undoField(id: string, actor: string | undefined) {
  return mutationOptions({
    mutationFn: async ({ field, before, now }: SavedField, { client }) => {
      const writes = { type: 'USER_UPDATED', user: id }
      // Lists then tell that the change was undone. Elsewhere, the field is changed back.
      const changeset =
        actor !== undefined && offers('revertChangeset')
          ? await findChangeset(client, id, field, { ...writes, actor })
          : undefined
      const undo = userSaver(
        () => readUser(client, id),
        ({ body, ...write }) =>
          changeset === undefined
            ? api.patchUser({ params: { user_id: id }, body, ...write })
            : api.revertChangeset({
                params: { changeset_id: changeset },
                body: { keys: [field] },
                ...write,
              }),
      )
      return await undo({
        // Without the tag of a reading, the stored user is read and compared first.
        base: { values: now, etag: undefined },
        values: { ...now, [field]: before[field] },
        changed: [field],
        reason: undoReason(),
      })
    },
    onSuccess: ({ outcome }, { field }) => tellUndone(userText.columns[field], outcome === 'saved'),
    onError: (error) => tellNotUndone(error),
    onSettled: (_outcome, _error, _saved, _result, { client }) => refresh(client, 'getUser'),
  })
}
