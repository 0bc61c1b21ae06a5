import { Checkbox, Input, NativeSelect, Text } from '@mantine/core'
import { type ReactNode, useId } from 'react'

import { importFields, type ImportView } from '#contract/import.ts'
import { dataTypes } from '#contract/index.ts'
import { guessType } from '#contract/reading/targets.ts'
import { PropertyPicker } from '../../domain/definitions/Picker.tsx'
import { chooseSensitivity, chooseType, forgetOpening } from '../../domain/known-properties/known-property.ts'
import { KnownNote, useSensitivity } from '../../domain/known-properties/sensitivity.tsx'
import {
  type KnownProperties,
  useKnownProperties,
} from '../../domain/known-properties/use-known-properties.ts'
import { typeLabel } from '../../domain/labels.ts'
import { dataTypeName } from '../../domain/values/data-type-name.ts'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import { importsText, sharedText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { ColumnMeaning, type ColumnReadingView } from './ColumnMeaning.tsx'
import { offeredEntity, type PropertyTarget, type Target } from './target.ts'
import classes from './imports.module.css'

const cardText = importsText.columns

type FileColumn = ImportView['columns'][number]

interface ColumnCardProps {
  readonly column: FileColumn
  readonly target: Target
  /** How the service reads the column; undefined while it is asked, or if the column is ignored. */
  readonly reading: ColumnReadingView | undefined
  readonly problem: string | undefined
  readonly types: readonly string[]
  readonly known: KnownProperties
  readonly withProperties: boolean
  readonly onChange: (target: Target) => void
}

/** Column of the file with its first values, and what it becomes. */
export function ColumnCard(props: ColumnCardProps) {
  const { column, target, reading, problem, withProperties, onChange } = props
  const { header, samples } = column
  const choose = (value: string) => {
    const field = importFields.find((name) => name === value)
    if (field) onChange({ to: 'field', field })
    else if (value === 'property') onChange(newProperty(column))
    else onChange({ to: 'ignore' })
  }
  return (
    <li className={classes.column} data-ignored={target.to === 'ignore' || undefined}>
      <div>
        <h2>{header}</h2>
        <ul className={classes.samples} aria-label={cardText.samplesOf({ column: header })}>
          {samples.length === 0 ? (
            <li>{cardText.noSamples}</li>
          ) : (
            samples.map((sample, position) => (
              <li key={position}>
                <Text inherit truncate {...hint(sample.slice(0, 500))}>
                  {sample}
                </Text>
              </li>
            ))
          )}
        </ul>
      </div>
      <div>
        <div className={classes.target}>
          <NativeSelect
            aria-label={cardText.targetOf({ column: header })}
            value={target.to === 'field' ? target.field : target.to}
            onChange={(event) => choose(event.currentTarget.value)}
            error={target.to !== 'property' && problem}
            data={[
              { value: 'ignore', label: cardText.ignore },
              ...importFields.map((value) => ({ value, label: cardText.fields[value] })),
              ...(withProperties ? [{ value: 'property', label: nameTarget(target) }] : []),
            ]}
          />
          {target.to === 'property' && (
            <WithKnown {...props} target={target}>
              {(known) => <PropertyInputs {...props} target={target} known={known} />}
            </WithKnown>
          )}
        </div>
        {target.to !== 'ignore' && reading && (
          <WithKnown {...props} target={target}>
            {(known) => <ColumnMeaning {...{ target, header, reading, known, onChange }} />}
          </WithKnown>
        )}
      </div>
    </li>
  )
}

interface WithKnownProps extends Pick<ColumnCardProps, 'target' | 'known'> {
  readonly children: (known: KnownProperties) => ReactNode
}

/** Renders with the known properties of the target's type; those of the offered type are read once for all columns. */
function WithKnown({ target, known, children }: WithKnownProps) {
  if (target.to !== 'property' || target.entity === offeredEntity) return children(known)
  return <WithKnownOf entity={target.entity}>{children}</WithKnownOf>
}

const WithKnownOf = ({ entity, children }: Pick<WithKnownProps, 'children'> & { readonly entity: string }) =>
  children(useKnownProperties(entity))

/** Names a property as target, with the type of its entity if that is not the user's own. */
const nameTarget = (target: Target) =>
  target.to === 'property' && target.entity !== offeredEntity
    ? cardText.propertyOf({ type: typeLabel(target.entity) })
    : cardText.property

const newProperty = ({ header, samples }: FileColumn): PropertyTarget => ({
  to: 'property',
  entity: offeredEntity,
  key: header.slice(0, 128),
  type: dataTypes.find((type) => type === guessType(samples)) ?? 'TEXT',
  sensitive: false,
})

function PropertyInputs({
  column,
  types,
  known,
  target,
  problem,
  onChange,
}: ColumnCardProps & { readonly target: PropertyTarget }) {
  const { header } = column
  const { entity, key, type, sensitive } = target
  const errorId = useId()
  const switching = useSensitivity(entity, target, known.of(key), (next) =>
    onChange(chooseSensitivity(target, next)),
  )
  const { denied } = switching
  return (
    <>
      <Input.Wrapper error={problem} errorProps={{ id: errorId }}>
        <PropertyPicker
          byLabel
          properties={known.properties}
          label={cardText.keyOf({ column: header })}
          placeholder={cardText.property}
          value={key}
          onChange={(next) => onChange(forgetOpening({ ...target, key: next }))}
          invalid={problem !== undefined}
          describedBy={problem === undefined ? undefined : errorId}
        />
      </Input.Wrapper>
      <NativeSelect
        aria-label={cardText.typeOf({ column: header })}
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
        aria-label={cardText.sensitiveOf({ column: header })}
        color="violet"
        checked={sensitive}
        disabled={denied !== undefined}
        {...hint(denied)}
        onChange={(event) => switching.set(event.currentTarget.checked)}
      />
      <div className={classes.known}>
        <KnownNote
          row={target}
          entityType={entity}
          known={known}
          onTake={(near) => onChange(forgetOpening({ ...target, key: near.key }))}
        />
      </div>
      {switching.question}
    </>
  )
}
