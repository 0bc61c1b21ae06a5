import { ApiError, isReasonRequired, isRevealOnly } from '../../api/index.ts'
import { reasonText, restoringText } from '../../messages/index.ts'
import { showToast } from '../../ui/toast.tsx'
import { describe } from '../failures/describe-failure.ts'

/** Returns the reason of an undo. Its button cannot ask for one, so a required one gets a fixed text. */
export const undoReason = (reason = reasonText.undoneChange) =>
  isReasonRequired() || isRevealOnly() ? reason : undefined

/** Says that a property is as it was, or that somebody else has changed it since. */
export function tellUndone(label: string, isUndone: boolean): void {
  const { undone, contested } = restoringText
  showToast(isUndone ? { message: undone({ label }) } : { message: contested({ label }), tone: 'failure' })
}

/** Says why a change was not undone. */
export function tellNotUndone(error: Error, failure = restoringText.failure): void {
  if (!(error instanceof ApiError)) throw error
  const reason = describe(error, failure)
  showToast({ message: restoringText.notUndone({ reason }), tone: 'failure', requestId: error.requestId })
}
