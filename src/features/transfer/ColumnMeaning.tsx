import { Checkbox, NativeSelect, Stack } from '@mantine/core'
import { useMemo } from 'react'

import { storedText } from '#contract/reading/written.ts'
import { writtenNumber } from '../../domain/values/numbers.ts'
import { importColumnsText, valueText } from '../../messages/index.ts'
import { listNames } from '../../messages/listed.ts'
import { dateOf, zonedMinute } from '../../ui/time.ts'
import type { ImportFile } from './import-file.ts'
import { Note } from './layout.tsx'
import { readTarget, type Target, typeOf } from './mapping.ts'
import classes from './layout.module.css'

interface ColumnMeaningProps {
  readonly target: Target
  readonly onChange: (target: Target) => void
  readonly file: ImportFile
  readonly column: number
}

/** Says how a column is read and which of its cells cannot be, and asks for what can be read in several ways. */
export function ColumnMeaning({ file, column, target, onChange }: ColumnMeaningProps) {
  const { headers, rows } = file
  const header = headers[column] ?? ''
  const reading = useMemo(
    () => (target.to === 'ignore' ? undefined : readTarget(target, header, { rows, column })),
    [target, header, rows, column],
  )
  if (target.to === 'ignore' || !reading) return null
  const { example, questions, choices, bad, empties } = reading
  const type = typeOf(target)
  const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((all, one) => all + one, 0)
  return (
    <Stack gap={4} mt="xs">
      {example && (
        <Note>
          {importColumnsText.readAs({ example: example.cell, meaning: showValue(type, example.value) })}
        </Note>
      )}
      {questions.map(({ of, cell, options }) => (
        <NativeSelect
          key={of}
          label={importColumnsText.asks[of]({ column: header })}
          error={choices[of] === undefined && importColumnsText.openQuestion}
          value={String(options.findIndex(({ choice }) => choice === choices[of]))}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...target, choices: { ...target.choices, [of]: options[Number(value)]?.choice } })
          }
          data={[
            ...(choices[of] === undefined ? [{ value: '-1', label: importColumnsText.numbersOpen }] : []),
            ...options.map(({ value }, index) => ({
              value: String(index),
              label:
                value === undefined
                  ? importColumnsText.meansNothing({ example: cell })
                  : importColumnsText.numbersAs({ example: cell, meaning: showValue(type, value) }),
            })),
          ]}
        />
      ))}
      {empties.size > 0 && (
        <Note>
          {importColumnsText.empties({ count: sum(empties), cells: listNames([...empties.keys()]) })}
        </Note>
      )}
      {bad.size > 0 && (
        <details>
          <summary>{importColumnsText.unreadable({ count: sum(bad) })}</summary>
          <ul className={classes.bad}>
            {[...bad].slice(0, 50).map(([cell, count]) => (
              <li key={cell}>{importColumnsText.unreadableCell({ cell: cell.slice(0, 100), count })}</li>
            ))}
          </ul>
        </details>
      )}
    </Stack>
  )
}

/** Renders a value as people read it. */
function showValue(type: string, value: unknown): string {
  const ms = Date.parse(String(value))
  if (type === 'DATE') return dateOf(ms, 'utc')
  if (type === 'DATETIME') return zonedMinute(ms, 'utc')
  if (type === 'BOOLEAN') return value === true ? valueText.true : valueText.false
  if (type === 'PREFERENCE') return valueText.status[(value as { status: 'GRANTED' }).status]
  return type === 'NUMBER' || type === 'DECIMAL' ? writtenNumber(String(value)) : storedText(type, value)
}

interface BadCellsProps {
  readonly areLeft: boolean
  readonly onChange: (areLeft: boolean) => void
}

export function BadCells({ areLeft, onChange }: BadCellsProps) {
  return (
    <Checkbox
      label={importColumnsText.leaveBad}
      description={importColumnsText.leaveBadHint}
      checked={areLeft}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}
