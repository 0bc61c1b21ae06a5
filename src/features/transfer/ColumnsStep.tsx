// oxlint-disable jsx-a11y/prefer-tag-over-role -- on narrow screens the rows become blocks, and browsers then drop a
// table's own semantics: the roles keep them

import { Button, Checkbox, Input, NativeSelect, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useMemo, useState } from 'react'

import { importFields } from '#contract/import.ts'
import { dataTypes } from '#contract/index.ts'
import type { FileColumn } from '#contract/reading/headers.ts'
import { guessType, importedEntity } from '#contract/reading/targets.ts'
import { useDenied } from '../../auth/use-session.ts'
import { PropertyPicker } from '../../domain/definitions/Picker.tsx'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import {
  applyKnown,
  chooseSensitivity,
  chooseType,
  forgetOpening,
  type WrittenProperty,
} from '../../domain/known-properties/known-property.ts'
import { KnownNote, useSensitivity } from '../../domain/known-properties/sensitivity.tsx'
import {
  isUnchecked,
  type KnownProperties,
  useKnownProperties,
} from '../../domain/known-properties/use-known-properties.ts'
import { dataTypesQuery } from '../../domain/queries/entities.ts'
import { dataTypeName } from '../../domain/values/data-type-name.ts'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import {
  importColumnsText,
  knownPropertyText,
  sharedText,
  transferText,
  userImportText,
} from '../../messages/index.ts'
import { Callout } from '../../ui/Callout.tsx'
import { hint } from '../../ui/Hint.tsx'
import { SkeletonRows } from '../../ui/skeletons/SkeletonRows.tsx'
import { BadCells, ColumnMeaning } from './ColumnMeaning.tsx'
import { columnsOf, type ImportFile } from './import-file.ts'
import { Buttons, Note, StepSection } from './layout.tsx'
import { knownWith, type Problem, problemsOf, proposeTargets, type Target } from './mapping.ts'
import classes from './layout.module.css'

const headers = [
  [importColumnsText.column, '20%'],
  [importColumnsText.samples, undefined],
  [importColumnsText.target, '52%'],
] as const

interface ColumnsStepProps {
  readonly file: ImportFile
  /** Targets chosen earlier, by column; undefined to guess them from the headers. */
  readonly targets: readonly Target[] | undefined
  readonly onTargets: (targets: readonly Target[]) => void
  /** Whether cells that cannot be read are left out, instead of their rows. */
  readonly areBadCellsLeft: boolean
  readonly onBadCells: (areLeft: boolean) => void
  readonly onBack: () => void
  readonly onNext: () => void
}

export function ColumnsStep(props: ColumnsStepProps) {
  // Guessing uses the known keys. Without them (older service, or a failure) it relies on the headers and values alone.
  const noted = useKnownProperties(importedEntity)
  const known = useMemo(() => withDefinitions(noted), [noted])
  const cannotWrite = useDenied('entities:write') !== undefined
  const cannotSeal = useDenied('sensitive:write') !== undefined
  const columns = useMemo(() => columnsOf(props.file), [props.file])
  if (known.state === 'waiting') return <SkeletonRows rows={columns.length} height="44px" />
  const adoptKnown = (target: Target) =>
    target.to === 'property' ? applyKnown(target, known.of(target.key), true) : target
  const guessed = proposeTargets(columns, [
    ...known.properties.map(({ name: key, label, type, sensitive }) => ({ key, label, type, sensitive })),
    ...known.keys.map(({ key, type, sensitive }) => ({ key, type, sensitive: sensitive === true })),
  ])
    .map(adoptKnown)
    .map((target) =>
      target.to === 'property' && (cannotWrite || (target.sensitive && cannotSeal))
        ? ({ to: 'ignore' } as const)
        : target,
    )
  return (
    <Mapping {...props} columns={columns} known={known} targets={props.targets?.map(adoptKnown) ?? guessed} />
  )
}

function withDefinitions(known: KnownProperties): KnownProperties {
  const definitionOf = (key: string) => known.properties.find(({ name }) => name === key)
  return { ...known, of: (key) => knownWith(known.of(key), definitionOf(key)) }
}

interface MappingProps extends ColumnsStepProps {
  readonly known: KnownProperties
  readonly columns: readonly FileColumn[]
  readonly targets: readonly Target[]
}

function Mapping(props: MappingProps) {
  const { file, known, columns, targets, onTargets, onNext } = props
  const propertiesDenied = useDenied('entities:write')
  const maySeal = useDenied('sensitive:write') === undefined
  const { data: types = dataTypes } = useQuery(dataTypesQuery())
  const [isTried, setTried] = useState(false)
  const isPending = (property: WrittenProperty) => isUnchecked(known, property)
  const problems = problemsOf(targets, { isUnchecked: isPending, maySeal })
  const isNothing = targets.every(({ to }) => to === 'ignore')
  const isUnmatched = !targets.some(identifiesUser)
  const ignored = targets.filter(({ to }) => to === 'ignore').length

  const next = () => {
    setTried(true)
    if (problems.size > 0 || isNothing) return
    onTargets(targets)
    onNext()
  }
  return (
    <StepSection label={userImportText.steps.columns}>
      <Note>
        {importColumnsText.hint} {ignored > 0 && importColumnsText.ignored({ ignored })} {propertiesDenied}
      </Note>
      <Table
        role="table"
        aria-label={importColumnsText.table}
        layout="fixed"
        className={classes.mapping ?? ''}
      >
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {headers.map(([title, width]) => (
              <Table.Th key={title} role="columnheader" scope="col" w={width} fz="xs" fw={500} c="dimmed">
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {columns.map((column, index) => {
            const target = targets[index] ?? ({ to: 'ignore' } as const)
            const change = (next: Target) => onTargets(targets.with(index, next))
            return (
              <ColumnRow key={index} column={column}>
                <TargetInput
                  {...{ column, target, known, types }}
                  onChange={change}
                  problem={isTried ? problems.get(index) : undefined}
                  withProperties={propertiesDenied === undefined}
                />
                <ColumnMeaning {...{ file, target }} column={index} onChange={change} />
              </ColumnRow>
            )
          })}
        </Table.Tbody>
      </Table>
      {known.state === 'failed' && targets.some(({ to }) => to === 'property') && (
        <InlineFailure title={knownPropertyText.uncheckedTitle} error={known.error} onRetry={known.retry}>
          {knownPropertyText.uncheckedBody}
        </InlineFailure>
      )}
      <BadCells areLeft={props.areBadCellsLeft} onChange={props.onBadCells} />
      {isUnmatched && !isNothing && <Callout title={importColumnsText.unmatched} />}
      {isTried && isNothing && (
        <Text role="alert" c="var(--mantine-color-error)" size="sm">
          {importColumnsText.problem.nothing}
        </Text>
      )}
      <Buttons>
        <Button variant="default" onClick={props.onBack}>
          {transferText.back}
        </Button>
        <Button onClick={next}>{importColumnsText.next({ count: file.rows.length })}</Button>
      </Buttons>
    </StepSection>
  )
}

const identifiesUser = (target: Target) =>
  target.to === 'field' && ['id', 'email', 'ref'].includes(target.field)

function ColumnRow({ column, children }: { readonly column: FileColumn; readonly children: ReactNode }) {
  const { header, samples } = column
  return (
    <Table.Tr role="row">
      <Table.Th role="rowheader" scope="row">
        <Text component="span" inherit lineClamp={3} {...hint(header)}>
          {header}
        </Text>
      </Table.Th>
      <Table.Td role="cell" c="dimmed">
        {samples.length === 0
          ? importColumnsText.empty
          : samples.map((sample, position) => (
              <Text key={position} inherit truncate {...hint(sample.slice(0, 500))}>
                {sample}
              </Text>
            ))}
      </Table.Td>
      <Table.Td role="cell">{children}</Table.Td>
    </Table.Tr>
  )
}

interface TargetInputProps {
  readonly column: FileColumn
  readonly target: Target
  readonly onChange: (target: Target) => void
  readonly types: readonly string[]
  readonly known: KnownProperties
  readonly problem: Problem | undefined
  readonly withProperties: boolean
}

function TargetInput(props: TargetInputProps) {
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
  const errorId = useId()
  const switching = useSensitivity(importedEntity, target, known.of(key), (next) =>
    onChange(chooseSensitivity(target, next)),
  )
  const denied = switching.denied
  return (
    <>
      <Input.Wrapper error={error} errorProps={{ id: errorId }}>
        <PropertyPicker
          properties={known.properties}
          label={importColumnsText.keyOf({ column: header })}
          placeholder={importColumnsText.key}
          value={key}
          onChange={(next) => onChange(forgetOpening({ ...target, key: next }))}
          invalid={Boolean(error)}
          describedBy={error === undefined ? undefined : errorId}
        />
      </Input.Wrapper>
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
