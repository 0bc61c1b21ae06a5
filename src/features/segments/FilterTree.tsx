import type { Filter } from '#contract/index.ts'
import { segmentText } from '../../messages/index.ts'
import { conditionInWords, type SentenceContext } from '../../domain/filters/sentence.ts'
import classes from '../../domain/filters/rails.module.css'

export interface FilterTreeProps {
  readonly filter: Filter
  readonly context: SentenceContext
}

/** A filter for reading: groups as rails, one condition a line. */
export function FilterTree({ filter, context }: FilterTreeProps) {
  const group = groupOf(filter)
  if (!group) return <Condition filter={filter} context={context} />
  return (
    <div className={classes.group} data-match={group.match}>
      <span className={classes.match}>{group.label}</span>
      {group.parts.length > 0 && (
        <ul className={classes.parts}>
          {group.parts.map((part, index) => (
            <li key={index}>
              <FilterTree filter={part} context={context} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function groupOf(filter: Filter) {
  const { all, any, not, everyone, nobody } = segmentText.detail
  if ('all' in filter)
    return { match: 'all', label: filter.all.length === 0 ? everyone : all, parts: filter.all }
  if ('any' in filter)
    return { match: 'any', label: filter.any.length === 0 ? nobody : any, parts: filter.any }
  return 'not' in filter ? { match: 'not', label: not, parts: [filter.not] } : undefined
}

function Condition({ filter, context }: FilterTreeProps) {
  const { condition, tests } = conditionInWords(filter, context)
  return (
    <div className={classes.condition}>
      {condition}
      {tests.length > 0 && (
        <ul className={classes.tests}>
          {tests.map((test, index) => (
            <li key={index}>{test}</li>
          ))}
        </ul>
      )}
    </div>
  )
}
