import { Checkbox, NativeSelect, TextInput } from '@mantine/core'

import { forgetOpening, chooseSensitivity, chooseType } from '../../domain/known-properties/known-property.ts'
import { KnownNote, useSensitivity } from '../../domain/known-properties/sensitivity.tsx'
import type { KnownProperties } from '../../domain/known-properties/use-known-properties.ts'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import { dataTypeName } from '../../domain/values/data-type-name.ts'
import { importColumnsText, sharedText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { type FileColumn, guessType, importFields, type Problem, type Target } from './mapping.ts'
import classes from './transfer.module.css'

export interface TargetInputProps {
  readonly column: FileColumn
  readonly target: Target
  readonly onChange: (target: Target) => void
  readonly types: readonly string[]
  readonly known: KnownProperties
  readonly problem: Problem | undefined
  readonly withProperties: boolean
}

/** Inputs for the target of a column. */
export function TargetInput(props: TargetInputProps) {
  const { column, target, onChange, types, known, problem, withProperties } = props
  const { header, samples } = column
  const error = problem && importColumnsText.problem[problem]
  const choose = (value: string) => {
    const field = importFields.find((name) => name === value)
    if (field) onChange({ to: 'field', field })
    else if (value === 'property')
      onChange({ to: 'property', key: header.slice(0, 128), type: guessType(samples), sensitive: false })
    else onChange({ to: 'ignore' })
  }
  return (
    <div className={classes.target}>
      <NativeSelect
        aria-label={importColumnsText.targetOf({ column: header })}
        value={target.to === 'field' ? target.field : target.to}
        onChange={(event) => choose(event.currentTarget.value)}
        error={target.to === 'field' && error}
        data={[
          { value: 'ignore', label: importColumnsText.ignore },
          ...importFields.map((value) => ({ value, label: importColumnsText.fields[value] })),
          ...(withProperties ? [{ value: 'property', label: importColumnsText.property }] : []),
        ]}
      />
      {target.to === 'property' && <PropertyInputs {...{ header, types, known, target, error, onChange }} />}
    </div>
  )
}

interface PropertyInputsProps extends Pick<TargetInputProps, 'types' | 'known'> {
  readonly header: string
  readonly target: Target & { readonly to: 'property' }
  readonly error: string | undefined
  readonly onChange: (target: Target) => void
}

function PropertyInputs({ header, types, known, target, error, onChange }: PropertyInputsProps) {
  const { key, type, sensitive } = target
  const switching = useSensitivity(target, known.of(key), (next) => onChange(chooseSensitivity(target, next)))
  const denied = switching.denied
  return (
    <>
      <TextInput
        aria-label={importColumnsText.keyOf({ column: header })}
        placeholder={importColumnsText.key}
        value={key}
        onChange={(event) => onChange(forgetOpening({ ...target, key: event.currentTarget.value }))}
        error={error}
        autoComplete="off"
        spellCheck={false}
      />
      <NativeSelect
        aria-label={importColumnsText.typeOf({ column: header })}
        value={type}
        onChange={(event) => onChange(chooseType(target, event.currentTarget.value))}
        // A chosen type stays in the list even if the service no longer offers it.
        data={[...new Set([...types, type])].map((each) => ({ value: each, label: dataTypeName(each) }))}
      />
      <Checkbox
        label={
          <>
            {sharedText.sensitive} {sensitive && <SensitiveMark />}
          </>
        }
        aria-label={importColumnsText.sensitiveOf({ column: header })}
        color="violet"
        checked={sensitive}
        disabled={denied !== undefined}
        {...hint(denied)}
        onChange={(event) => switching.set(event.currentTarget.checked)}
      />
      <div className={classes.known}>
        <KnownNote
          row={target}
          known={known}
          onTake={(taken) => onChange(forgetOpening({ ...target, key: taken }))}
        />
      </div>
      {switching.question}
    </>
  )
}
