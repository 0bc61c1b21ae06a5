import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'

import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

import { dataTypes } from '#contract/index.ts'
import { offers } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { sharedText, transferText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { dataTypesQuery } from '../../domain/queries/entities.ts'
import { Notice } from '../../domain/people/Notice.tsx'
import { keysQuery } from '../../domain/queries/keys.ts'
import { columnsOf, type ImportFile } from './import-file.ts'
import classes from './import.module.css'
import common from './transfer.module.css'
import {
  type FileColumn,
  guessTargets,
  guessType,
  importFields,
  mappingProblems,
  type Target,
} from './mapping.ts'

const text = transferText.import.columns

export interface ColumnsStepProps {
  readonly file: ImportFile
  /** What was said of the columns before; absent: they are guessed. */
  readonly targets: readonly Target[] | undefined
  readonly onTargets: (targets: readonly Target[]) => void
  readonly onBack: () => void
  readonly onNext: () => void
}

/** What each column of the file becomes. */
export function ColumnsStep(props: ColumnsStepProps) {
  // The guesses need the known keys; without them (an older service, a failure) they are made without.
  const { data, isError } = useQuery({ ...keysQuery('person'), enabled: offers('keys') })
  const entitiesDenied = useDenied('entities:write')
  const sensitiveDenied = useDenied('sensitive:write')
  const columns = useMemo(() => columnsOf(props.file), [props.file])
  if (offers('keys') && !data && !isError) return <SkeletonRows rows={columns.length} height="44px" />
  const guessed = guessTargets(columns, data ?? []).map((target) =>
    target.to === 'property' &&
    (entitiesDenied !== undefined || (target.sensitive && sensitiveDenied !== undefined))
      ? ({ to: 'ignore' } as const)
      : target,
  )
  return (
    <Mapping
      {...props}
      columns={columns}
      targets={props.targets ?? guessed}
      propertiesDenied={entitiesDenied}
      sensitiveDenied={sensitiveDenied}
    />
  )
}

interface MappingProps extends ColumnsStepProps {
  readonly columns: readonly FileColumn[]
  readonly targets: readonly Target[]
  readonly propertiesDenied: string | undefined
  readonly sensitiveDenied: string | undefined
}

function Mapping(props: MappingProps) {
  const { file, columns, targets, onTargets, onBack, onNext, propertiesDenied, sensitiveDenied } = props
  const { data: types = dataTypes } = useQuery(dataTypesQuery())
  const [isTried, setTried] = useState(false)
  const problems = mappingProblems(targets)
  const isNothing = targets.every(({ to }) => to === 'ignore')
  const isUnmatched = !targets.some(
    (target) => target.to === 'field' && (target.field === 'email' || target.field === 'ref'),
  )
  const ignored = targets.filter(({ to }) => to === 'ignore').length

  return (
    <section className={classes.step} aria-label={transferText.import.steps[1]}>
      <p className={common.note}>
        {text.hint} {ignored > 0 && `${text.ignored(ignored)}.`} {propertiesDenied}
      </p>
      {/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- on narrow screens the rows become blocks, and browsers then drop a table's own semantics */}
      <table role="table" aria-label={text.table} className={classes.mapping}>
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col">
              {text.column}
            </th>
            <th role="columnheader" scope="col">
              {text.samples}
            </th>
            <th role="columnheader" scope="col">
              {text.target}
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {columns.map(({ header, samples }, index) => (
            <tr key={index} role="row">
              <th role="rowheader" scope="row">
                <span {...hint(header)}>{header}</span>
              </th>
              <td role="cell" className={classes.samples}>
                {samples.length === 0 ? (
                  <span className="ds-dimmed">{text.empty}</span>
                ) : (
                  samples.map((sample, position) => (
                    <span key={position} className={classes.sample} {...hint(sample.slice(0, 500))}>
                      {sample}
                    </span>
                  ))
                )}
              </td>
              <td role="cell">
                <TargetInput
                  header={header}
                  samples={samples}
                  target={targets[index] ?? { to: 'ignore' }}
                  onChange={(target) => onTargets(targets.map((old, at) => (at === index ? target : old)))}
                  types={types}
                  problem={isTried ? problems.get(index) : undefined}
                  withProperties={propertiesDenied === undefined}
                  sensitiveDenied={sensitiveDenied}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {/* oxlint-enable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role */}
      {isUnmatched && !isNothing && <Notice title={text.unmatched} />}
      {isTried && isNothing && (
        <p role="alert" className={common.error}>
          {text.problem.nothing}
        </p>
      )}
      <div className={common.buttons}>
        <Button variant="default" onClick={onBack}>
          {transferText.back}
        </Button>
        <Button
          onClick={() => {
            setTried(true)
            if (problems.size > 0 || isNothing) return
            onTargets(targets)
            onNext()
          }}
        >
          {text.next(file.rows.length)}
        </Button>
      </div>
    </section>
  )
}

interface TargetInputProps {
  readonly header: string
  readonly samples: readonly string[]
  readonly target: Target
  readonly onChange: (target: Target) => void
  readonly types: readonly string[]
  readonly problem: 'twice' | 'no key' | 'bad key' | undefined
  readonly withProperties: boolean
  readonly sensitiveDenied: string | undefined
}

function TargetInput(props: TargetInputProps) {
  const { header, samples, target, onChange, types, problem, withProperties, sensitiveDenied } = props
  const error = problem && text.problem[problem]
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
        aria-label={text.targetOf(header)}
        value={target.to === 'field' ? target.field : target.to}
        onChange={(event) => choose(event.currentTarget.value)}
        error={target.to === 'field' && error}
        data={[
          { value: 'ignore', label: text.ignore },
          ...importFields.map((value) => ({ value, label: text.fields[value] })),
          ...(withProperties ? [{ value: 'property', label: text.property }] : []),
        ]}
      />
      {target.to === 'property' && (
        <>
          <TextInput
            aria-label={text.keyOf(header)}
            placeholder={text.key}
            value={target.key}
            onChange={(event) => onChange({ ...target, key: event.currentTarget.value })}
            error={error}
            autoComplete="off"
            spellCheck={false}
          />
          <NativeSelect
            aria-label={text.typeOf(header)}
            value={target.type}
            onChange={(event) => onChange({ ...target, type: event.currentTarget.value })}
            // A type that the service no longer names stays to be seen.
            data={[...new Set([...types, target.type])]}
          />
          <Checkbox
            label={sharedText.sensitive}
            color="violet"
            checked={target.sensitive}
            disabled={sensitiveDenied !== undefined}
            {...hint(sensitiveDenied)}
            onChange={(event) => onChange({ ...target, sensitive: event.currentTarget.checked })}
          />
        </>
      )}
    </div>
  )
}
