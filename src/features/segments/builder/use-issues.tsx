import { useId } from 'react'

import type { Place } from '../draft/filter-codec.ts'
import type { Issue } from '../draft/filter-draft.ts'
import { Issues } from './Issues.tsx'

/** The issues of one part of a node, and what ties them to its control. */
export function useIssues(issues: readonly Issue[]) {
  const id = useId()
  return (control: Place['control']) => {
    const of = issues.filter((issue) => issue.place.control === control)
    const describedBy = `${id}-${control}`
    return {
      control: of.length > 0 ? { invalid: true, describedBy } : {},
      message: <Issues issues={of} id={describedBy} />,
    }
  }
}
