import type { JobKind } from '#contract/index.ts'
import type { Writing } from '../changesets/record.ts'
import { setKind } from './set-property.ts'
import type { UserOutcome, WaitingUser } from './storage.ts'
import type { UserTask } from './task.ts'

/**
 * What a kind of job does with one user. The frame chooses the next user, gives the transaction, records the outcome in
 * it, and tries again where the store is in trouble, which a kind throws.
 */
export interface Kind {
  /** Makes the change by the rules of a request from the caller; for a dry run, makes it and rolls it back. */
  readonly apply: (writing: Writing, user: WaitingUser, task: UserTask) => Promise<UserOutcome>
}

export const kinds: Readonly<Record<JobKind, Kind>> = { set: setKind }
