import type { JobKind } from '#contract/index.ts'
import { deleteOne, deleteTaskOf, keepDeleted } from './delete-user.ts'
import { eachUser } from './each-user.ts'
import { exportUsers } from './export-users.ts'
import { setProperty, setTaskOf } from './set-property.ts'
import type { WorkTurn } from './turn.ts'
import { undoProperty } from './undo-property.ts'

/** Work of each kind of job. */
export type JobWork = Readonly<Partial<Record<JobKind, WorkTurn>>>

/** Work of the kinds that need nothing of other rooms. */
export const kinds = {
  set: eachUser({ task: setTaskOf, apply: setProperty, undo: undoProperty }),
  export: exportUsers,
  delete: eachUser({ task: deleteTaskOf, apply: deleteOne, undo: keepDeleted }),
} satisfies JobWork
