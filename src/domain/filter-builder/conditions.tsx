import { Box, Checkbox, Group, Stack } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'

import {
  asksForPresence,
  dataTypes,
  isDataType,
  type KnownKey,
  type UserField,
  userFields,
} from '#contract/index.ts'
import { filterBuilderText } from '../../messages/index.ts'
import { Choice, Field } from '../values/Field.tsx'
import { useConditionPlace } from './condition-context.ts'
import classes from './builder.module.css'
import {
  type EntityNode,
  isUntouched,
  newPropertyNode,
  type PropertyNode,
  retypeComparison,
  type SegmentNode,
  type UserNode,
  withOperator,
} from './draft/nodes.ts'
import { useKnownKeys } from './known-keys.ts'
import { segmentName } from '../segments/names.ts'
import { AddButton, ComparisonEditor } from './ComparisonEditor.tsx'
import { useIssues } from './Issues.tsx'
import { least as narrow, named, wide, Word } from './OperandEditor.tsx'
import { useDenied } from '../../auth/use-session.ts'
import { dataTypeName } from '../values/data-type-name.ts'
import { hint } from '../../ui/Hint.tsx'
import { SensitiveMark } from '../values/SensitiveMark.tsx'
import { aside, KnownKeyField, KnownKeyNote } from './KnownKeyField.tsx'
import { NodeFieldset } from './NodeFieldset.tsx'
import { sealedIssues, sealedOperators } from './draft/sealed.ts'
import { IconButton } from '../../ui/IconButton.tsx'

export function UserCondition({ node }: { readonly node: UserNode }) {
  const { change, issues } = useConditionPlace()
  const { id, field, comparison } = node
  return (
    <>
      <Choice
        label={filterBuilderText.userField}
        value={field}
        size={9}
        options={fields}
        onChange={(value) => {
          const next = value as UserField
          change(id, () => ({
            ...node,
            field: next,
            comparison: retypeComparison(comparison, userFields[field], userFields[next]),
          }))
        }}
      />
      <ComparisonEditor
        type={userFields[field]}
        comparison={comparison}
        onChange={(next) => change(id, () => ({ ...node, comparison: next }))}
        issues={issues(id)}
      />
    </>
  )
}

const fields = Object.entries(filterBuilderText.fields).map(([value, label]) => ({ value, label }))

export function SegmentCondition({ node }: { readonly node: SegmentNode }) {
  const { change, issues, segments } = useConditionPlace()
  const { control, message } = useIssues(issues(node.id))('segment')
  const options = segments.map((segment) => ({
    value: segment.id.toLowerCase(),
    label: segmentName(segment),
  }))
  return (
    <>
      <Word>{filterBuilderText.segment.is}</Word>
      <Box {...wide}>
        <Choice
          label={filterBuilderText.segment.label}
          value={node.segment}
          options={[
            {
              value: '',
              label: options.length === 0 ? filterBuilderText.segment.none : filterBuilderText.segment.choose,
            },
            ...options,
          ]}
          onChange={(segment) => change(node.id, () => ({ ...node, segment }))}
          {...control}
        />
      </Box>
      {message}
    </>
  )
}

/** Condition on entities of a type, on a line such as "Has 2 or more car where all of these are true: …". */
export function EntityCondition({ node, number }: { readonly node: EntityNode; readonly number: string }) {
  const { change, issues } = useConditionPlace()
  const wrong = useIssues(issues(node.id))
  const { id, type, min, properties } = node
  const known = useKnownKeys(type)
  const set = (part: Partial<EntityNode>) => change(id, () => ({ ...node, ...part }))
  const add = () => {
    const property = newPropertyNode()
    change(
      id,
      () => ({ ...node, properties: [...properties, property] }),
      `[data-node="${property.id}"] input`,
    )
  }
  const [of, least] = [wrong('type'), wrong('min')]
  return (
    <>
      <Word>{filterBuilderText.entity.has}</Word>
      <Box {...narrow}>
        <Field
          label={filterBuilderText.entity.min}
          value={min}
          placeholder="1"
          inputMode="numeric"
          onChange={(value) => /^\d*$/.test(value) && set({ min: value })}
          {...least.control}
        />
      </Box>
      <Word>{filterBuilderText.entity.orMore}</Word>
      <Box {...named}>
        <Field
          label={filterBuilderText.entity.type}
          value={type}
          placeholder={filterBuilderText.entity.typePlaceholder}
          mono
          onChange={(value) => set({ type: value })}
          {...of.control}
        />
      </Box>
      {properties.length > 0 && <Word>{filterBuilderText.entity.matching}</Word>}
      {least.message}
      {of.message}
      <Stack gap="xs" className={classes.tests ?? ''}>
        {properties.map((property, index) => (
          <PropertyTestEditor
            key={property.id}
            property={property}
            known={known}
            number={number === '' ? String(index + 1) : `${number}.${index + 1}`}
            onChange={(next) =>
              set({ properties: properties.map((each) => (each.id === property.id ? next : each)) })
            }
            onRemove={() =>
              change(
                id,
                () => ({ ...node, properties: properties.filter((each) => each.id !== property.id) }),
                `[data-tests="${id}"]`,
              )
            }
          />
        ))}
        <AddButton data-tests={id} onClick={add}>
          {properties.length === 0 ? filterBuilderText.entity.addFirst : filterBuilderText.entity.addTest}
        </AddButton>
      </Stack>
    </>
  )
}

interface PropertyProps {
  readonly property: PropertyNode
  readonly known: readonly KnownKey[]
  /** Number of the test among its siblings, prefixed with its parent's number: "2.1". */
  readonly number: string
  readonly onChange: (property: PropertyNode) => void
  readonly onRemove: () => void
}

function PropertyTestEditor({ property, known, number, onChange, onRemove }: PropertyProps) {
  const { issues, touch, tz } = useConditionPlace()
  const { id, key, type, comparison, orMissing, sensitive } = property
  const [isInKey, setInKey] = useState(false)
  const isSensitive = known.some((each) => each.key === key && each.sensitive === true)
  const own = isSensitive ? [...issues(id), ...sealedIssues(property, tz)] : issues(id)
  const wrong = useIssues(own)
  const [keyed, missing, marked] = [wrong('key'), wrong('orMissing'), wrong('sensitive')]
  const onTake = (taken: KnownKey) => onChange(ofKnown(property, taken))
  const keyProps = { value: key, type, known, onTake }
  return (
    <NodeFieldset
      label={filterBuilderText.entity.test({ place: number })}
      nodeId={id}
      className={classes.test}
      onLeave={() => touch(id)}
    >
      <Group gap="xs" align="flex-start" flex={1} miw={0}>
        {/* Width of the key in monospace characters, plus the field's padding. */}
        <Box {...named} maw="100%" flex={`0 1 max(160px, ${key.length}ch + 44px)`} ff="monospace" fz="sm">
          <KnownKeyField
            {...keyProps}
            label={filterBuilderText.entity.key}
            placeholder={filterBuilderText.entity.keyPlaceholder}
            isTypeFree={isUntouched(comparison)}
            onChange={(next) => onChange({ ...property, key: next })}
            onEnter={setInKey}
            {...keyed.control}
          />
        </Box>
        <Choice
          label={filterBuilderText.entity.dataType}
          value={type}
          size={11}
          options={types}
          onChange={(next) => {
            if (isDataType(next))
              onChange({ ...property, type: next, comparison: retypeComparison(comparison, type, next) })
          }}
        />
        <ComparisonEditor
          type={type}
          comparison={comparison}
          onChange={(next) =>
            onChange({
              ...property,
              comparison: next,
              // The operators "has a value" and "is missing" already decide on missing values.
              orMissing: asksForPresence(next.op) ? undefined : orMissing,
              sensitive: next.op === 'missing' ? undefined : sensitive,
            })
          }
          issues={own}
          {...(isSensitive && { operators: sealedOperators(type) })}
        />
        {!asksForPresence(comparison.op) && (
          <MissingCheck
            value={orMissing === true}
            onChange={(next) => onChange({ ...property, orMissing: next || undefined })}
          />
        )}
        {sensitive !== undefined && (
          <MarkChoice value={sensitive} onChange={(next) => onChange({ ...property, sensitive: next })} />
        )}
        {keyed.message}
        {missing.message}
        {marked.message}
        {isSensitive && <SensitiveNote />}
        {!isInKey && <KnownKeyNote {...keyProps} />}
      </Group>
      <IconButton
        aria-label={filterBuilderText.entity.removeTest}
        {...hint(filterBuilderText.entity.removeTest)}
        onClick={onRemove}
      >
        <IconX size={15} stroke={1.75} />
      </IconButton>
    </NodeFieldset>
  )
}

interface MissingCheckProps {
  readonly value: boolean
  readonly onChange: (value: boolean) => void
}

/** Checkbox that lets a missing value pass the test, too. */
function MissingCheck({ value, onChange }: MissingCheckProps) {
  return (
    <Checkbox
      size="xs"
      pt={8}
      label={filterBuilderText.entity.orMissing}
      checked={value}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}

interface MarkChoiceProps {
  readonly value: boolean
  readonly onChange: (value: boolean | undefined) => void
}

function MarkChoice({ value, onChange }: MarkChoiceProps) {
  return (
    <Choice
      label={filterBuilderText.entity.mark}
      value={String(value)}
      size={13}
      options={marks}
      onChange={(next) => onChange(next === '' ? undefined : next === 'true')}
    />
  )
}

const marks = [
  { value: 'true', label: filterBuilderText.entity.marks.sensitive },
  { value: 'false', label: filterBuilderText.entity.marks.open },
  { value: '', label: filterBuilderText.entity.marks.either },
]
const types = dataTypes.map((value) => ({ value, label: dataTypeName(value) }))

/**
 * Note on a test of a sensitive property. The matches reveal the value, so the test requires the scope to read it, and
 * some services allow it only in a segment.
 */
function SensitiveNote() {
  const denied = useDenied('sensitive:read')
  const { sensitiveRefusal } = useConditionPlace()
  const refusal =
    denied === undefined ? sensitiveRefusal : filterBuilderText.sealed.denied({ reason: denied })
  return (
    <Group {...aside} {...(refusal !== undefined && { c: 'var(--mantine-color-error)' })}>
      <SensitiveMark withLabel /> {refusal ?? filterBuilderText.sealed.note}
    </Group>
  )
}

/** Applies a known key and its type to a property test. The operator is kept if it can find values of that property. */
function ofKnown(property: PropertyNode, { key, type, sensitive }: KnownKey): PropertyNode {
  if (!isDataType(type)) return { ...property, key }
  const comparison = retypeComparison(property.comparison, property.type, type)
  const [first] = sealedOperators(type)
  const isFound = sensitive !== true || sealedOperators(type).includes(comparison.op)
  return {
    ...property,
    key,
    type,
    comparison: isFound || !first ? comparison : withOperator(comparison, type, first),
  }
}
