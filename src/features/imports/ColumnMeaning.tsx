import { NativeSelect, Stack } from '@mantine/core'

import type { ImportView } from '#contract/import.ts'
import { isDataType, type PropertyValue, readValue } from '#contract/index.ts'
import { storedText } from '#contract/reading/written.ts'
import type { KnownProperties } from '../../domain/known-properties/use-known-properties.ts'
import { writtenNumber } from '../../domain/values/numbers.ts'
import { importsText, valueText } from '../../messages/index.ts'
import { dateOf, zonedMinute } from '../../ui/time.ts'
import { Note } from './layout.tsx'
import type { Target } from './target.ts'
import classes from './imports.module.css'

const meaningText = importsText.columns

export type ColumnReadingView = NonNullable<NonNullable<ImportView['readings']>[number]>
type ReadTarget = Exclude<Target, { readonly to: 'ignore' }>

interface ColumnMeaningProps {
  readonly target: ReadTarget
  readonly header: string
  readonly reading: ColumnReadingView
  readonly known: KnownProperties
  readonly onChange: (target: Target) => void
}

type ReadProperty = ReadTarget & { readonly to: 'property' }

const fieldTypes: Readonly<Record<string, string>> = { email: 'EMAIL', since: 'DATETIME' }
const typeOf = (target: ReadTarget) =>
  target.to === 'field' ? (fieldTypes[target.field] ?? 'TEXT') : target.type

/** Says how a column is read and which of its cells cannot be, and asks for what can be read in several ways. */
export function ColumnMeaning({ target, header, reading, known, onChange }: ColumnMeaningProps) {
  const { example, questions, read, empty, bad } = reading
  const type = typeOf(target)
  const choices: Readonly<Record<string, unknown>> = target.choices ?? {}
  const values = target.to === 'property' ? choicesOf(target, known) : undefined
  const show = (value: unknown) =>
    values?.find((each) => each.value === value)?.label ?? showValue(type, value)
  return (
    <Stack gap={6} mt={6}>
      {example && show(example.value) !== example.cell && (
        <Note>{meaningText.readAs({ example: example.cell, meaning: show(example.value) })}</Note>
      )}
      {questions.map(({ of, cell, options }) => {
        const chosen = options.findIndex(({ choice }) => choice === choices[of])
        return (
          <NativeSelect
            key={of}
            maw={360}
            label={
              (meaningText.asks as Readonly<Record<string, typeof meaningText.asks.order>>)[of]?.({
                column: header,
              }) ?? of
            }
            error={chosen === -1 && meaningText.openQuestion}
            value={String(chosen)}
            onChange={({ currentTarget: { value } }) =>
              onChange({ ...target, choices: { ...choices, [of]: options[Number(value)]?.choice } })
            }
            data={[
              ...(chosen === -1 ? [{ value: '-1', label: meaningText.choose }] : []),
              ...options.map(({ value }, index) => ({
                value: String(index),
                label:
                  value === undefined || value === null
                    ? meaningText.meansNothing({ example: cell })
                    : meaningText.means({ example: cell, meaning: show(value) }),
              })),
            ]}
          />
        )
      })}
      <BadCells {...{ target, reading, known, onChange }} />
      {bad === 0 && read > 0 && <Note>{meaningText.allRead({ count: read, empty })}</Note>}
    </Stack>
  )
}

/** Cells that cannot be read, most frequent first, and what each stands for where values can be chosen from. */
function BadCells({ target, reading, known, onChange }: Omit<ColumnMeaningProps, 'header'>) {
  const { bad, badCells } = reading
  const words = target.to === 'property' ? (target.words ?? {}) : {}
  const given = Object.entries(words)
  if (bad === 0 && given.length === 0) return null
  const options = target.to === 'property' ? optionsOf(target, known) : undefined
  const set = (cell: string, value: string) => {
    if (target.to !== 'property') return
    const { [cell]: _, ...others } = words
    const option = options?.find((each) => each.name === value)
    const word = option?.value === asWritten ? cell : option?.value
    onChange({ ...target, words: option ? { ...others, [cell]: word } : others })
  }
  const listed = [
    ...given.map(([cell]) => ({ cell, count: undefined })),
    // The service has not answered yet by the words that were just chosen.
    ...badCells.filter(({ cell }) => !Object.hasOwn(words, cell)),
  ]
  return (
    <details open={options !== undefined}>
      <summary>{bad === 0 ? meaningText.wordsGiven : meaningText.unreadable({ count: bad })}</summary>
      <ul className={classes.bad}>
        {listed.map(({ cell, count }) => (
          <li key={cell}>
            <span>
              {count === undefined
                ? `“${cell.slice(0, 100)}”`
                : meaningText.unreadableCell({ cell: cell.slice(0, 100), count })}
            </span>
            {options && (
              <NativeSelect
                size="xs"
                aria-label={meaningText.standsFor({ cell })}
                value={
                  options.find(({ value }) => value === (words[cell] === cell ? asWritten : words[cell]))
                    ?.name ?? ''
                }
                onChange={(event) => set(cell, event.currentTarget.value)}
                data={[
                  { value: '', label: meaningText.leftOut },
                  ...options.map(({ name, label }) => ({ value: name, label })),
                ]}
              />
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}

const choicesOf = ({ key }: ReadProperty, { properties }: KnownProperties) =>
  properties.find(({ name }) => name === key)?.choices

/** Stands for the cell itself: choices suggest, and a text that is none of them may be meant. */
const asWritten = Symbol('as written')

/** Returns the values that a cell may stand for, if there are few; `null` is no value. */
function optionsOf(target: ReadProperty, known: KnownProperties) {
  const { type } = target
  const choices = choicesOf(target, known)
  const none = { name: 'none', label: meaningText.noValue, value: null }
  if (choices)
    return [
      ...choices.map(({ value, label }) => ({ name: `=${value}`, label, value })),
      ...(type === 'TEXT' ? [{ name: 'written', label: meaningText.asWritten, value: asWritten }] : []),
      none,
    ]
  if (type !== 'BOOLEAN') return undefined
  return [
    { name: 'true', label: valueText.true, value: true },
    { name: 'false', label: valueText.false, value: false },
    none,
  ]
}

/**
 * Renders a value as people read it. Until the service has answered by a type that was just chosen, the value may be one of
 * another type, which is written as it is.
 */
function showValue(type: string, value: unknown): string {
  if (!isDataType(type) || readValue(type, value).issues) return storedText('TEXT', value)
  const ms = Date.parse(String(value))
  if (type === 'DATE') return dateOf(ms, 'utc')
  if (type === 'DATETIME') return zonedMinute(ms, 'utc')
  if (type === 'BOOLEAN') return value === true ? valueText.true : valueText.false
  if (type === 'PREFERENCE') return valueText.status[(value as PropertyValue['PREFERENCE']).status]
  return type === 'NUMBER' || type === 'DECIMAL' ? writtenNumber(String(value)) : storedText(type, value)
}
