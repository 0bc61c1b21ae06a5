import type { JobKind } from '#contract/index.ts'
import type { Writing } from '../changesets/record.ts'
import { setProperty } from './set-property.ts'
import type { NextUser, UserOutcome } from './storage.ts'
import type { UserTask } from './task.ts'
import { undoProperty } from './undo-property.ts'
import type { Undone } from './undoing.ts'

/**
 * Work of a kind of job on one user. The frame chooses the next user, gives the transaction, records the outcome in
 * it, and tries again where the store is in trouble, which a kind throws.
 */
export interface Kind {
  /** Makes the change by the rules of a request from the caller; for a dry run, makes it and rolls it back. */
  readonly apply: (writing: Writing, next: NextUser, task: UserTask) => Promise<UserOutcome>
  /** Puts back what the job changed, unless somebody else has changed it since. */
  readonly undo: (writing: Writing, next: NextUser, task: UserTask) => Promise<Undone>
}

export const kinds: Readonly<Record<JobKind, Kind>> = { set: { apply: setProperty, undo: undoProperty } }
