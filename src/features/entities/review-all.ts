import { createContext } from 'react'

interface ReviewAll {
  /** Number of entities with unsaved edits. */
  readonly count: number
  readonly open: () => void
}

/** Review of all unsaved edits of a user; undefined unless more than one entity has any. */
export const ReviewAllContext = createContext<ReviewAll | undefined>(undefined)
