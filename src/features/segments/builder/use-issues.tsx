import { useId } from 'react'

import type { Place } from '../draft/filter-codec.ts'
import type { Problem } from '../draft/filter-draft.ts'
import { Problems } from './Issues.tsx'

/** The problems of one part of a node, and what ties them to its control. */
export function useWrong(problems: readonly Problem[]) {
  const id = useId()
  return (part: Place['part']) => {
    const of = problems.filter((problem) => problem.place.part === part)
    const describedBy = `${id}-${part}`
    return {
      control: of.length > 0 ? { invalid: true, describedBy } : {},
      message: <Problems problems={of} id={describedBy} />,
    }
  }
}
