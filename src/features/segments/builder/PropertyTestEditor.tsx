import { Box, Button, Group, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'

import { dataTypes, isDataType, type KnownKey, operandOf } from '#contract/index.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { dataTypeName, segmentText } from '../../../messages/index.ts'
import { hint } from '../../../ui/Hint.tsx'
import { SensitiveMark } from '../../../domain/values/SensitiveMark.tsx'
import { Suggest } from '../../../domain/values/Suggest.tsx'
import { Choice } from '../../../domain/values/Field.tsx'
import { useBuilder } from './builder-context.ts'
import classes from './builder.module.css'
import { isUntouched, type PropertyNode, withOperator, withType } from '../draft/nodes.ts'
import { matchingKeys } from './known-keys.ts'
import { NodeFieldset } from './NodeFieldset.tsx'
import { sealedOperators, sealedIssues } from '../draft/sealed.ts'
import { ComparisonEditor } from './ComparisonEditor.tsx'
import { useIssues } from './Issues.tsx'
import { named } from './OperandEditor.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'

const words = segmentText.builder

export interface PropertyProps {
  readonly property: PropertyNode
  /** Keys of the entity's type. */
  readonly known: readonly KnownKey[]
  /** "2.1": its number among its siblings, and theirs. */
  readonly number: string
  readonly onChange: (property: PropertyNode) => void
  readonly onRemove: () => void
}

/** One test of an entity: a key, its type, an operator, and what it compares with. */
export function PropertyTestEditor({ property, known, number, onChange, onRemove }: PropertyProps) {
  const { issues, touch, tz } = useBuilder()
  const { id, key, type, comparison, orMissing } = property
  const [isInKey, setInKey] = useState(false)
  const isSensitive = known.some((each) => each.key === key && each.sensitive === true)
  const own = isSensitive ? [...issues(id), ...sealedIssues(property, tz)] : issues(id)
  const wrong = useIssues(own)
  const [keyed, missing] = [wrong('key'), wrong('orMissing')]
  return (
    <NodeFieldset
      label={words.entity.test(number)}
      nodeId={id}
      className={classes.test}
      onLeave={() => touch(id)}
    >
      <Group gap="xs" align="flex-start" flex={1} miw={0}>
        <KeyField
          property={property}
          known={known}
          onChange={onChange}
          onEnter={setInKey}
          {...keyed.control}
        />
        <Choice
          label={words.entity.dataType}
          value={type}
          size={11}
          options={types}
          onChange={(next) => {
            if (isDataType(next))
              onChange({ ...property, type: next, comparison: withType(comparison, type, next) })
          }}
        />
        <ComparisonEditor
          type={type}
          comparison={comparison}
          onChange={(next) =>
            onChange({
              ...property,
              comparison: next,
              // "has a value" and "is missing" say it themselves.
              orMissing: operandOf(next.op) === 'none' ? undefined : orMissing,
            })
          }
          issues={own}
          {...(isSensitive && { operators: sealedOperators(type) })}
        />
        {operandOf(comparison.op) !== 'none' && (
          <label className={classes.check}>
            <input
              type="checkbox"
              checked={orMissing === true}
              onChange={(event) =>
                onChange({ ...property, orMissing: event.currentTarget.checked || undefined })
              }
            />
            {words.entity.orMissing}
          </label>
        )}
        {keyed.message}
        {missing.message}
        {isSensitive && <SensitiveNote />}
        {!isInKey && <KeyNote property={property} known={known} onChange={onChange} />}
      </Group>
      <IconButton aria-label={words.entity.removeTest} {...hint(words.entity.removeTest)} onClick={onRemove}>
        <IconX size={15} stroke={1.75} />
      </IconButton>
    </NodeFieldset>
  )
}

const types = dataTypes.map((value) => ({ value, label: dataTypeName(value) }))

/** How many it finds tells the value, so the service asks for the scope to read it. */
function SensitiveNote() {
  const denied = useDenied('sensitive:read')
  return (
    <Group {...aside} {...(denied !== undefined && { c: 'var(--mantine-color-error)' })}>
      <SensitiveMark withLabel /> {denied === undefined ? words.sealed.note : words.sealed.denied(denied)}
    </Group>
  )
}

/** A remark below the controls. */
const aside = { gap: '4px 8px', w: '100%', c: 'dimmed', fz: 'xs' } as const

type KeyNoteProps = Pick<PropertyProps, 'property' | 'known' | 'onChange'>

interface KeyProps extends KeyNoteProps {
  /** The focus has come into it, or left it. */
  readonly onEnter: (isIn: boolean) => void
  readonly invalid?: boolean
  readonly describedBy?: string
}

/** A key, with those that entities of the type have. One that is known brings its type along. */
function KeyField({ property, known, onChange, onEnter, ...field }: KeyProps) {
  const { key, type } = property
  const leave = () => {
    onEnter(false)
    const [only, ...others] = known.filter((each) => each.key === key)
    if (only && only.type !== type && others.length === 0 && isUntouched(property.comparison))
      onChange(ofKnown(property, only))
  }
  return (
    <Box {...named}>
      <Suggest
        label={words.entity.key}
        value={key}
        placeholder={words.entity.keyPlaceholder}
        mono
        onChange={(next) => onChange({ ...property, key: next })}
        onFocus={() => onEnter(true)}
        onBlur={leave}
        listLabel={words.entity.knownKeys}
        options={matchingKeys(known, key)}
        idOf={(option) => `${option.type} ${option.key}`}
        renderOption={(option) => (
          <>
            <span className="ds-mono">{option.key}</span>
            <Text span c="dimmed" fz="xs" ml="auto">
              {dataTypeName(option.type)}
            </Text>
            {option.sensitive === true && <SensitiveMark />}
          </>
        )}
        onChoose={(option) => onChange(ofKnown(property, option))}
        {...field}
      />
    </Box>
  )
}

/** What is odd about a key: nobody has it, or all have it with another type. Both may be meant. */
function KeyNote({ property, known, onChange }: KeyNoteProps) {
  const { key, type } = property
  const namesakes = known.filter((each) => each.key === key)
  if (key === '' || known.length === 0 || namesakes.some((each) => each.type === type)) return null
  if (namesakes.length === 0) return <Group {...aside}>{words.entity.unknownKey}</Group>
  const names = namesakes.map((each) => dataTypeName(each.type))
  return (
    <Group {...aside}>
      {words.entity.otherType(key, names)}
      {namesakes.map((each) => (
        <Button
          key={each.type}
          size="compact-xs"
          variant="default"
          onClick={() => onChange(ofKnown(property, each))}
        >
          {words.entity.takeType(dataTypeName(each.type))}
        </Button>
      ))}
    </Group>
  )
}

/** The operator stays where it finds such values. */
function ofKnown(property: PropertyNode, { key, type, sensitive }: KnownKey): PropertyNode {
  if (!isDataType(type)) return { ...property, key }
  const comparison = withType(property.comparison, property.type, type)
  const [first] = sealedOperators(type)
  const isFound = sensitive !== true || sealedOperators(type).includes(comparison.op)
  return {
    ...property,
    key,
    type,
    comparison: isFound || !first ? comparison : withOperator(comparison, type, first),
  }
}
