// oxlint-disable jsx-a11y/prefer-tag-over-role -- on narrow screens the rows become blocks, and browsers then drop a
// table's own semantics: the roles keep them

import { Button, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'

import { dataTypes } from '#contract/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { importColumnsText, knownPropertyText, transferText, userImportText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { SkeletonRows } from '../../ui/skeletons/SkeletonRows.tsx'
import { dataTypesQuery } from '../../domain/queries/entities.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { applyKnown } from '../../domain/known-properties/known-property.ts'
import {
  isUnchecked,
  type KnownProperties,
  useKnownProperties,
} from '../../domain/known-properties/use-known-properties.ts'
import { Callout } from '../../ui/Callout.tsx'
import { ColumnNumbers } from './ColumnNumbers.tsx'
import { columnsOf, type ImportFile } from './import-file.ts'
import { Buttons, Note, StepSection } from './layout.tsx'
import { TargetInput } from './TargetInput.tsx'
import classes from './transfer.module.css'
import { type FileColumn, guessTargets, importedEntity, mappingProblems, type Target } from './mapping.ts'

const headers = [
  [importColumnsText.column, '20%'],
  [importColumnsText.samples, undefined],
  [importColumnsText.target, '52%'],
] as const

export interface ColumnsStepProps {
  readonly file: ImportFile
  /** Targets chosen earlier, by column; undefined to guess them from the headers. */
  readonly targets: readonly Target[] | undefined
  readonly onTargets: (targets: readonly Target[]) => void
  readonly onBack: () => void
  readonly onNext: () => void
}

/** Step of the import that maps the file's columns to fields and properties. */
export function ColumnsStep(props: ColumnsStepProps) {
  // Guessing uses the known keys. Without them (older service, or a failure) it relies on the headers and values alone.
  const known = useKnownProperties(importedEntity)
  const entitiesDenied = useDenied('entities:write')
  const sensitiveDenied = useDenied('sensitive:write')
  const columns = useMemo(() => columnsOf(props.file), [props.file])
  if (known.state === 'waiting') return <SkeletonRows rows={columns.length} height="44px" />
  const asKnown = (target: Target) =>
    target.to === 'property' ? applyKnown(target, known.of(target.key), true) : target
  const guessed = guessTargets(columns, known.keys)
    .map(asKnown)
    .map((target) =>
      target.to === 'property' &&
      (entitiesDenied !== undefined || (target.sensitive && sensitiveDenied !== undefined))
        ? ({ to: 'ignore' } as const)
        : target,
    )
  return (
    <Mapping
      {...props}
      columns={columns}
      known={known}
      targets={props.targets?.map(asKnown) ?? guessed}
      propertiesDenied={entitiesDenied}
      sensitiveDenied={sensitiveDenied}
    />
  )
}

interface MappingProps extends ColumnsStepProps {
  readonly known: KnownProperties
  readonly columns: readonly FileColumn[]
  readonly targets: readonly Target[]
  readonly propertiesDenied: string | undefined
  readonly sensitiveDenied: string | undefined
}

function Mapping(props: MappingProps) {
  const { file, known, columns, targets, onTargets, onNext, propertiesDenied, sensitiveDenied } = props
  const { data: types = dataTypes } = useQuery(dataTypesQuery())
  const [isTried, setTried] = useState(false)
  const problems = mappingProblems(targets, {
    isUnchecked: (property) => isUnchecked(known, property),
    maySeal: sensitiveDenied === undefined,
  })
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
          {columns.map((column, index) => (
            <ColumnRow key={index} column={column}>
              <TargetInput
                column={column}
                target={targets[index] ?? { to: 'ignore' }}
                onChange={(target) => onTargets(targets.map((old, at) => (at === index ? target : old)))}
                known={known}
                types={types}
                problem={isTried ? problems.get(index) : undefined}
                withProperties={propertiesDenied === undefined}
              />
              <ColumnNumbers
                file={file}
                column={index}
                target={targets[index] ?? { to: 'ignore' }}
                onChange={(target) => onTargets(targets.map((old, at) => (at === index ? target : old)))}
              />
            </ColumnRow>
          ))}
        </Table.Tbody>
      </Table>
      {known.state === 'failed' && targets.some(({ to }) => to === 'property') && (
        <InlineFailure title={knownPropertyText.uncheckedTitle} error={known.error} onRetry={known.retry}>
          {knownPropertyText.uncheckedBody}
        </InlineFailure>
      )}
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

/** Returns whether existing users are recognised by this column. */
const identifiesUser = (target: Target) =>
  target.to === 'field' && (target.field === 'email' || target.field === 'ref')

interface ColumnRowProps {
  readonly column: FileColumn
  readonly children: ReactNode
}

function ColumnRow({ column: { header, samples }, children }: ColumnRowProps) {
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
