import { filterSentenceText, evaluationText } from '../../messages/index.ts'
import { ValueText } from '../values/ValueText.tsx'

const longestShown = 200

export function EvaluatedValue({ type, value }: { readonly type: string; readonly value: unknown }) {
  if (value === undefined || value === null)
    return <span className="ds-dimmed">{evaluationText.noValue}</span>
  // The wording matches that of the condition beside it.
  if (typeof value === 'boolean') return value ? filterSentenceText.yes : filterSentenceText.no
  const isLong = typeof value === 'string' && value.length > longestShown
  return (
    <ValueText type={isLong ? 'TEXT' : type} value={isLong ? `${value.slice(0, longestShown)}…` : value} />
  )
}
