import { IconCheck, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import { evaluationText } from '../../messages/index.ts'
import classes from './Evaluation.module.css'

export interface EvaluationLineProps {
  readonly pass: boolean
  readonly decisive: boolean
  readonly found?: ReactNode
  readonly children: ReactNode
}

export function EvaluationLine({ pass, decisive, found, children }: EvaluationLineProps) {
  const Icon = pass ? IconCheck : IconX
  return (
    <div className={classes.line} data-decisive={decisive}>
      <span className={classes.mark}>
        <Icon size={15} stroke={2.25} aria-hidden />
        <span className="ds-visually-hidden">{pass ? evaluationText.holds : evaluationText.fails}</span>
      </span>
      <span>{children}</span>
      {found !== undefined && <div className={classes.found}>{found}</div>}
    </div>
  )
}
