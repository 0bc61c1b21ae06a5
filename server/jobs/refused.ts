import { asRefusal, missingKeyCode } from '../http/errors/problem.ts'
import type { UserTask } from './task.ts'

/** Why a write for one user was refused: the error that a request would get. */
export interface RefusedWrite {
  readonly outcome: 'refused'
  readonly code: string
  readonly detail: string
}

/** Converts an error to the reported outcome of this user. Rethrows errors that do not concern this user. */
export function toRefusedWrite(error: unknown, { failed }: Pick<UserTask, 'failed'>): RefusedWrite {
  if ((error as { code?: unknown }).code === missingKeyCode)
    return {
      outcome: 'refused',
      code: 'unavailable',
      detail: 'A key of this user is missing from the settings of the service.',
    }
  const refusal = asRefusal(error)
  if (!refusal) {
    failed(error)
    return { outcome: 'refused', code: 'internal', detail: 'Something went wrong in the service.' }
  }
  if (refusal.status >= 500) throw error
  const [first] = refusal.errors
  return { outcome: 'refused', code: first?.code ?? refusal.code, detail: first?.detail ?? refusal.message }
}
