import { Text } from '@mantine/core'

import type { Filter } from '#contract/index.ts'
import { segmentText } from '../../messages/index.ts'
import { groupOf } from '../../domain/filters/group.ts'
import { Rail } from '../../domain/filters/Rail.tsx'
import { conditionInWords, type SentenceContext } from '../../domain/filters/sentence.ts'
import classes from './SegmentPage.module.css'

const text = segmentText.detail

export interface FilterTreeProps {
  readonly filter: Filter
  readonly context: SentenceContext
}

/** A filter for reading: groups as rails, one condition a line. */
export function FilterTree({ filter, context }: FilterTreeProps) {
  if ('user' in filter || 'entity' in filter || 'segment' in filter)
    return <Condition filter={filter} context={context} />
  const { match, parts } = groupOf(filter)
  const empty = { all: text.everyone, any: text.nobody, not: text.not }
  return (
    <Rail
      match={match}
      head={
        <Text c="dimmed" fz="xs" fw={600}>
          {parts.length === 0 ? empty[match] : text[match]}
        </Text>
      }
      parts={parts.map((part, index) => (
        <FilterTree key={index} filter={part} context={context} />
      ))}
    />
  )
}

function Condition({ filter, context }: FilterTreeProps) {
  const { condition, tests } = conditionInWords(filter, context)
  return (
    <>
      <div className={classes.condition}>{condition}</div>
      {tests.length > 0 && (
        <Text component="ul" fz="sm" mt={4} mb={0} pl={20}>
          {tests.map((test, index) => (
            <li key={index}>{test}</li>
          ))}
        </Text>
      )}
    </>
  )
}
