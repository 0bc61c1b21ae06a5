import { createContext } from 'react'

interface ReviewAll {
  /** Entities with unsaved edits. */
  readonly count: number
  readonly open: () => void
}

/** The review of all unsaved edits of a user; absent while no more than one entity has any. */
export const ReviewAllContext = createContext<ReviewAll | undefined>(undefined)
