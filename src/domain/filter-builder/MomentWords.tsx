import { Text } from '@mantine/core'
import { useState } from 'react'

import type { DataType, Operator } from '#contract/index.ts'
import { filterBuilderText } from '../../messages/index.ts'
import type { FieldProps } from '../values/Field.tsx'
import { Suggest } from '../values/Suggest.tsx'
import { type MomentTest, momentTests, type MomentType } from './draft/moment-words.ts'

interface MomentWordsProps extends Pick<FieldProps, 'label' | 'invalid' | 'describedBy'> {
  readonly type: DataType
  readonly op: Operator
  /** Written operand. */
  readonly value: string
  /** Called with text that has no meaning yet. */
  readonly onText: (text: string) => void
  readonly onTest: (test: MomentTest) => void
  /** Called once Enter or a press has taken a meaning. */
  readonly onTake?: (() => void) | undefined
}

const moments = filterBuilderText.moments

/** Input for a date or a span in words, such as "90 days", "today" or "1 Mar 2024", with what it can mean. */
export function MomentWords({ type, op, value, onText, onTest, onTake, ...field }: MomentWordsProps) {
  /** Text as it is typed; undefined once it has been taken. */
  const [typed, setTyped] = useState<string>()
  const own: MomentType = type === 'DATE' || op === 'anniversary_within' ? 'DATE' : 'DATETIME'
  const read = (written: string) => momentTests(own, op, written, new Date().toISOString().slice(0, 10))
  const options = read(typed ?? '')
  const take = (test: MomentTest) => {
    setTyped(undefined)
    onTest(test)
  }
  return (
    <Suggest
      {...field}
      value={typed ?? value}
      placeholder={
        op === 'within_last' || op === 'within_next' ? moments.spanPlaceholder : moments.placeholder
      }
      listLabel={moments.list}
      options={options}
      idOf={({ label, op: compared }) => `${compared} ${label}`}
      renderOption={({ label, aside }) => (
        <>
          {label}
          {aside !== '' && (
            <Text span c="dimmed" fz="xs" ml="auto">
              {aside}
            </Text>
          )}
        </>
      )}
      enterTakes="first"
      onChange={(next) => {
        setTyped(next)
        // Another comparison is chosen only once the text has been left or taken.
        const [first] = next.trim() === '' ? [] : read(next)
        if (first?.op === op) onTest(first)
        else onText(next)
      }}
      onChoose={(test) => {
        take(test)
        onTake?.()
      }}
      onBlur={() => {
        // Text that is left means what the list names first.
        const [first] = options
        if (typed !== undefined && typed.trim() !== '' && first) take(first)
      }}
    />
  )
}
