import { Box, Checkbox, Group, Stack } from '@mantine/core'
import { useState } from 'react'

import {
  asksForPresence,
  dataTypes,
  isDataType,
  type KnownKey,
  type UserField,
  userFields,
} from '#contract/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { filterBuilderText } from '../../messages/index.ts'
import { segmentName } from '../segments/names.ts'
import { dataTypeName } from '../values/data-type-name.ts'
import { Choice, Field } from '../values/Field.tsx'
import { SensitiveMark } from '../values/SensitiveMark.tsx'
import {
  AddButton,
  ComparisonEditor,
  least as narrow,
  named,
  RemoveButton,
  wide,
  Word,
} from './ComparisonEditor.tsx'
import { useConditionScope } from './condition-context.ts'
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
import { sealedIssues, sealedOperators } from './draft/sealed.ts'
import { useKnownKeys } from './known-keys.ts'
import { aside, KnownKeyField, KnownKeyNote } from './KnownKeyField.tsx'
import { NodeFieldset, useIssues } from './NodeFieldset.tsx'
import classes from './NodeFieldset.module.css'

export function UserCondition({ node }: { readonly node: UserNode }) {
  const { change, issues } = useConditionScope()
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
  const { change, issues, segments } = useConditionScope()
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
  const { change, issues, touch } = useConditionScope()
  const wrong = useIssues(issues(node.id))
  const { id, type, min, properties } = node
  const known = useKnownKeys(type)
  const set = (part: Partial<EntityNode>, focus?: string) => change(id, () => ({ ...node, ...part }), focus)
  const add = () => {
    const property = newPropertyNode()
    set({ properties: [...properties, property] }, `[data-node="${property.id}"] input`)
  }
  const [of, least] = [wrong('entity'), wrong('min')]
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
          <NodeFieldset
            key={property.id}
            label={filterBuilderText.entity.test({
              place: number === '' ? String(index + 1) : `${number}.${index + 1}`,
            })}
            nodeId={property.id}
            className={classes.test}
            onLeave={() => touch(property.id)}
          >
            <PropertyTestEditor
              property={property}
              known={known}
              onChange={(next) => set({ properties: properties.with(index, next) })}
            />
            <RemoveButton
              label={filterBuilderText.entity.removeTest}
              onClick={() =>
                set({ properties: properties.filter((each) => each !== property) }, `[data-tests="${id}"]`)
              }
            />
          </NodeFieldset>
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
  readonly onChange: (property: PropertyNode) => void
}

function PropertyTestEditor({ property, known, onChange }: PropertyProps) {
  const { issues, tz } = useConditionScope()
  const { id, key, type, comparison, orMissing, sensitive } = property
  const [isInKey, setInKey] = useState(false)
  const isSensitive = known.some((each) => each.key === key && each.sensitive === true)
  const own = isSensitive ? [...issues(id), ...sealedIssues(property, tz)] : issues(id)
  const wrong = useIssues(own)
  const [keyed, missing, marked] = [wrong('key'), wrong('orMissing'), wrong('sensitive')]
  const set = (part: Partial<PropertyNode>) => onChange({ ...property, ...part })
  const keyProps = { value: key, type, known, onTake: (taken: KnownKey) => set(adoptKnown(property, taken)) }
  return (
    <Group gap="xs" align="flex-start" flex={1} miw={0}>
      {/* Width of the key in monospace characters, plus the field's padding. */}
      <Box {...named} maw="100%" flex={`0 1 max(160px, ${key.length}ch + 44px)`} ff="monospace" fz="sm">
        <KnownKeyField
          {...keyProps}
          label={filterBuilderText.entity.key}
          placeholder={filterBuilderText.entity.keyPlaceholder}
          isTypeFree={isUntouched(comparison)}
          onChange={(next) => set({ key: next })}
          onEnter={setInKey}
          {...keyed.control}
        />
      </Box>
      <Choice
        label={filterBuilderText.entity.dataType}
        value={type}
        size={11}
        options={types}
        onChange={(next) =>
          isDataType(next) && set({ type: next, comparison: retypeComparison(comparison, type, next) })
        }
      />
      <ComparisonEditor
        type={type}
        comparison={comparison}
        onChange={(next) =>
          set({
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
        <Checkbox
          size="xs"
          pt={8}
          label={filterBuilderText.entity.orMissing}
          checked={orMissing === true}
          onChange={({ currentTarget: { checked } }) => set({ orMissing: checked || undefined })}
        />
      )}
      {sensitive !== undefined && (
        <Choice
          label={filterBuilderText.entity.mark}
          value={String(sensitive)}
          size={13}
          options={marks}
          onChange={(next) => set({ sensitive: next === '' ? undefined : next === 'true' })}
        />
      )}
      {keyed.message}
      {missing.message}
      {marked.message}
      {isSensitive && <SensitiveNote />}
      {!isInKey && <KnownKeyNote {...keyProps} />}
    </Group>
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
  const { sensitiveRefusal } = useConditionScope()
  const refusal =
    denied === undefined ? sensitiveRefusal : filterBuilderText.sealed.denied({ reason: denied })
  return (
    <Group {...aside} {...(refusal !== undefined && { c: 'var(--mantine-color-error)' })}>
      <SensitiveMark withLabel /> {refusal ?? filterBuilderText.sealed.note}
    </Group>
  )
}

/**
 * Returns what a known key changes of a property test: the key and its type. The operator is kept if it can find values
 * of that property.
 */
function adoptKnown(property: PropertyNode, { key, type, sensitive }: KnownKey): Partial<PropertyNode> {
  if (!isDataType(type)) return { key }
  const comparison = retypeComparison(property.comparison, property.type, type)
  const [first] = sealedOperators(type)
  const isFound = sensitive !== true || sealedOperators(type).includes(comparison.op)
  return { key, type, comparison: isFound || !first ? comparison : withOperator(comparison, type, first) }
}
