import { Pill, Text } from '@mantine/core'
import type { KeyboardEvent } from 'react'

import { type DataType, fold } from '#contract/index.ts'
import { isBlank } from '#contract/reading/parts.ts'
import { filterBuilderText } from '../../messages/index.ts'
import { draftOf, emptyDraft, typeText } from '../values/draft.ts'
import { Suggest } from '../values/Suggest.tsx'
import { chosenValues, type Comparison, newOperand, type Operand, withChosen } from './draft/nodes.ts'
import classes from './NodeFieldset.module.css'

/** Value that a property can have. */
export interface OfferedValue {
  readonly value: string | number
  readonly label: string
  /** Number of users who have it; undefined if unknown. */
  readonly users?: number | undefined
}

interface ValueChooserProps {
  readonly type: DataType
  readonly comparison: Comparison
  readonly onChange: (comparison: Comparison) => void
  /** Called once Enter or a press has chosen the only value. */
  readonly onTake?: (() => void) | undefined
  readonly label: string
  readonly offered: readonly OfferedValue[]
  /** Whether the offered values are all that there can be. */
  readonly isClosed: boolean
  readonly invalid?: boolean | undefined
  readonly describedBy?: string | undefined
}

const valuesText = filterBuilderText.values

/**
 * Input for a value, with those that a property has. A press or Enter takes one; the boxes, and the space bar at a
 * marked value, choose several. Typed text is a value too.
 */
export function ValueChooser(props: ValueChooserProps) {
  const { type, comparison, onChange, onTake, label, offered, isClosed, ...marks } = props
  const { chosen, typed = newOperand(type) } = chosenValues(type, comparison)
  const written = typed.draft.text
  const query = fold(written.trim())
  const isChosen = (option: OfferedValue) => chosen.some(({ draft }) => draft.text === textOf(type, option))
  const options = offered.filter(({ value, label: name }) => fold(`${name} ${value}`).includes(query))
  const canChooseSeveral =
    withChosen(comparison, type, [operandOf(type, 'a'), operandOf(type, 'b')]).values.length > 2
  const set = (next: readonly Operand[], last?: Operand) => onChange(withChosen(comparison, type, next, last))
  const toggle = (option: OfferedValue) => {
    const own = textOf(type, option)
    set(
      isChosen(option)
        ? chosen.filter(({ draft }) => draft.text !== own)
        : [...chosen, operandOf(type, option.value)],
    )
  }
  const labelOf = (operand: Operand) =>
    offered.find((option) => textOf(type, option) === operand.draft.text)?.label ?? operand.draft.text
  const press = (event: KeyboardEvent) => {
    const { key, nativeEvent } = event
    if (nativeEvent.isComposing || event.defaultPrevented) return
    if (key === 'Backspace' && written === '' && chosen.length > 0) {
      // The press belongs to the value, and must not go back to the list.
      event.stopPropagation()
      set(chosen.slice(0, -1))
    } else if (key === 'Enter' && chosen.length > 0 && !isBlank(typed.draft)) {
      // The typed text joins the chosen values, and the next Enter applies them.
      event.preventDefault()
      set([...chosen, typed])
    }
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- handles keys that its input leaves to it
    <div className={classes.chooser} onKeyDown={press}>
      <ChosenValues chosen={chosen} labelOf={labelOf} onChange={(next) => set(next, typed)} />
      <Suggest
        {...marks}
        label={label}
        value={written}
        listLabel={valuesText.list}
        options={options}
        idOf={({ value }) => String(value)}
        renderOption={({ label: name, users }) => (
          <>
            {name}
            {users !== undefined && (
              <Text span c="dimmed" fz="xs" ml="auto">
                {valuesText.users({ count: users })}
              </Text>
            )}
          </>
        )}
        {...(canChooseSeveral && { checks: { isChecked: isChosen, onToggle: toggle } })}
        enterTakes={isClosed && offered.length > 0 ? 'first' : undefined}
        onChange={(next) =>
          set(chosen, { ...typed, draft: next === '' ? emptyDraft : typeText(typed.draft, 'text', next) })
        }
        onChoose={(option) => {
          if (chosen.length > 0) return toggle(option)
          set([], operandOf(type, option.value))
          onTake?.()
        }}
      />
    </div>
  )
}

interface ChosenValuesProps {
  readonly chosen: readonly Operand[]
  readonly labelOf: (operand: Operand) => string
  readonly onChange: (chosen: readonly Operand[]) => void
}

function ChosenValues({ chosen, labelOf, onChange }: ChosenValuesProps) {
  return chosen.map((operand) => (
    <Pill
      key={operand.id}
      withRemoveButton
      className={classes.chip ?? ''}
      size="md"
      onRemove={() => onChange(chosen.filter((each) => each !== operand))}
      removeButtonProps={{
        'aria-label': valuesText.remove({ value: labelOf(operand) }),
        'aria-hidden': false,
      }}
    >
      {labelOf(operand)}
    </Pill>
  ))
}

const operandOf = (type: DataType, value: unknown): Operand => ({
  ...newOperand(type),
  draft: draftOf(type, value),
})
const textOf = (type: DataType, { value }: OfferedValue) => draftOf(type, value).text
