import { segmentText, judgementText } from '../../messages/index.ts'
import { ValueText } from '../values/ValueText.tsx'

const longest = 200

/** What was found in the place that a condition looks at. */
export function JudgedValue({ type, value }: { readonly type: string; readonly value: unknown }) {
  if (value === undefined || value === null) return <span className="ds-dimmed">{judgementText.noValue}</span>
  // As the condition beside it says it.
  if (typeof value === 'boolean') return value ? segmentText.sentence.yes : segmentText.sentence.no
  const isLong = typeof value === 'string' && value.length > longest
  return <ValueText type={isLong ? 'TEXT' : type} value={isLong ? `${value.slice(0, longest)}…` : value} />
}
