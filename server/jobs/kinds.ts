import type { JobKind } from '#contract/index.ts'
import { deleteTaskOf, deleteUsers, keepDeleted } from './delete-user.ts'
import { exportUsers } from './export-users.ts'
import { workInLots } from './lots.ts'
import { setProperty, setTaskOf } from './set-property.ts'
import type { WorkTurn } from './turn.ts'
import { undoProperty } from './undo-property.ts'

/** Work of each kind of job. */
export type JobWork = Readonly<Partial<Record<JobKind, WorkTurn>>>

/** Work of the kinds that need nothing of other rooms. */
export const kinds = {
  set: workInLots({ atOnce: 250, task: setTaskOf, apply: setProperty, undo: undoProperty }),
  export: exportUsers,
  delete: workInLots({ atOnce: 1, task: deleteTaskOf, apply: deleteUsers, undo: keepDeleted }),
} satisfies JobWork
