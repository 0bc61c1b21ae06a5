import { NativeSelect } from '@mantine/core'
import { useMemo } from 'react'

import { numbersIn, writtenNumber } from '../../domain/values/numbers.ts'
import { importColumnsText } from '../../messages/index.ts'
import { type DecimalSign, doubtfulNumbers } from './column-numbers.ts'
import type { ImportFile } from './import-file.ts'
import { isNumeric, type Target } from './mapping.ts'

interface ColumnNumbersProps {
  readonly file: ImportFile
  readonly column: number
  readonly target: Target
  readonly onChange: (target: Target) => void
}

/** Asks for the number format of a column that contains ambiguous numbers. */
export function ColumnNumbers({ file, column, target, onChange }: ColumnNumbersProps) {
  const { headers, rows } = file
  const header = headers[column] ?? ''
  const isAsked = target.to === 'property' && isNumeric(target.type)
  const doubt = useMemo(
    () => (isAsked ? doubtfulNumbers(header, rows, column) : undefined),
    [isAsked, header, rows, column],
  )
  if (target.to !== 'property' || !doubt) return null
  const { example } = doubt
  const decimal = target.decimal ?? doubt.decimal
  const readAs = (sign: DecimalSign) => {
    const [read = ''] = numbersIn(example, { decimal: sign }, 'declared')
    return { value: sign, label: importColumnsText.numbersAs({ example, meaning: writtenNumber(read) }) }
  }
  return (
    <NativeSelect
      mt="xs"
      label={importColumnsText.numbersOf({ column: header })}
      error={decimal === undefined && importColumnsText.numbersMissing}
      value={decimal ?? ''}
      onChange={({ currentTarget: { value } }) =>
        onChange({ ...target, ...(value !== '' && { decimal: value as DecimalSign }) })
      }
      data={[
        ...(decimal === undefined ? [{ value: '', label: importColumnsText.numbersOpen }] : []),
        readAs('.'),
        readAs(','),
      ]}
    />
  )
}
