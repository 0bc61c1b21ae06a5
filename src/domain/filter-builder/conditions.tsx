import { Box, Button, Checkbox, Group, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'

import { asksForPresence, dataTypes, isDataType, userFields } from '#contract/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { filterBuilderText } from '../../messages/index.ts'
import { propertyLabel, typeLabel } from '../labels.ts'
import { segmentName } from '../segments/names.ts'
import { dataTypeName } from '../values/data-type-name.ts'
import { Choice, Field } from '../values/Field.tsx'
import { SensitiveMark } from '../values/SensitiveMark.tsx'
import { ComparisonEditor, RemoveButton, wide } from './ComparisonEditor.tsx'
import { useConditionScope } from './condition-context.ts'
import {
  type EntityNode,
  newComparison,
  type PropertyNode,
  type SegmentNode,
  takesSeveral,
  type UserNode,
} from './draft/nodes.ts'
import { sealedIssues, sealedOperators } from './draft/sealed.ts'
import { findProperty, type SubjectType } from './draft/subjects.ts'
import { NodeFieldset, useIssues } from './NodeFieldset.tsx'
import { SubjectButton } from './SubjectButton.tsx'
import { useOfferedValues } from './use-offered-values.ts'
import classes from './NodeFieldset.module.css'

function Subject({ children }: { readonly children: ReactNode }) {
  return <div className={classes.subject}>{children}</div>
}

export function UserCondition({ node }: { readonly node: UserNode }) {
  const { change, issues } = useConditionScope()
  const { id, field, comparison } = node
  return (
    <>
      <Subject>{filterBuilderText.fields[field]}</Subject>
      <ComparisonEditor
        type={userFields[field]}
        comparison={comparison}
        onChange={(next) => change(id, () => ({ ...node, comparison: next }))}
        issues={issues(id)}
      />
    </>
  )
}

export function SegmentCondition({ node }: { readonly node: SegmentNode }) {
  const { change, issues, segments } = useConditionScope()
  const { control, message } = useIssues(issues(node.id))('segment')
  const options = segments.map((segment) => ({
    value: segment.id.toLowerCase(),
    label: segmentName(segment),
  }))
  const { label, none, choose } = filterBuilderText.segment
  return (
    <>
      <Subject>{label}</Subject>
      <Box {...wide} data-operand>
        <Choice
          label={label}
          value={node.segment}
          options={[{ value: '', label: options.length === 0 ? none : choose }, ...options]}
          onChange={(segment) => change(node.id, () => ({ ...node, segment }))}
          {...control}
        />
      </Box>
      {message}
    </>
  )
}

const labelOfType = (types: readonly SubjectType[], type: string) =>
  types.find(({ name }) => name === type)?.label ?? typeLabel(type)

/** Condition on entities of a type: how many, and the tests that hold for each of them. */
export function EntityCondition({ node }: { readonly node: EntityNode }) {
  const { change, issues, touch, types } = useConditionScope()
  const wrong = useIssues(issues(node.id))
  const { id, type, min, properties } = node
  /** Whether a number is asked for, which may have been cleared to type another one. */
  const [isCounted, setCounted] = useState(min !== '')
  const count = (next: string | undefined) => {
    setCounted(next !== undefined)
    set({ min: next ?? '' }, next === '2' ? `[data-node="${id}"] [data-least] input` : undefined)
  }
  const set = (part: Partial<EntityNode>, focus?: string) => change(id, () => ({ ...node, ...part }), focus)
  const [of, least] = [wrong('entity'), wrong('min')]
  const labelOf = (key: string) => findProperty(types, type, key)?.label ?? propertyLabel(type, key)
  const prefix = labelOfType(types, type)
  return (
    <>
      {(properties.length !== 1 || isCounted) && (
        <Group gap="xs" align="center" w="100%">
          <Text span fz="sm" fw={600}>
            {prefix}
          </Text>
          <HowMany
            min={isCounted ? min : undefined}
            onChange={(next) => (isCounted && next !== undefined ? set({ min: next }) : count(next))}
            {...least.control}
          />
        </Group>
      )}
      {least.message}
      {of.message}
      <div className={classes.tests}>
        {properties.map((property, index) => (
          <NodeFieldset
            key={property.id}
            label={filterBuilderText.subjects.property({ type: prefix, label: labelOf(property.key) })}
            nodeId={property.id}
            onLeave={() => touch(property.id)}
          >
            <PropertyTest
              entity={type}
              property={property}
              onChange={(next) => set({ properties: properties.with(index, next) })}
              onRemove={
                properties.length === 1
                  ? undefined
                  : () =>
                      set(
                        { properties: properties.filter((each) => each !== property) },
                        `[data-node="${id}"]`,
                      )
              }
            />
          </NodeFieldset>
        ))}
        <Group gap={4}>
          <SubjectButton
            entity={type}
            onChoose={(chosen) => {
              const [property] = chosen.kind === 'entity' ? chosen.properties : []
              if (property) set({ properties: [...properties, property] }, `[data-node="${property.id}"]`)
            }}
          >
            {filterBuilderText.entity.addTest}
          </SubjectButton>
          {properties.length === 1 && !isCounted && (
            <Button size="compact-sm" variant="subtle" color="gray" onClick={() => count('2')}>
              {filterBuilderText.entity.atLeast}
            </Button>
          )}
        </Group>
      </div>
    </>
  )
}

interface HowManyProps {
  /** Undefined if one is enough. */
  readonly min: string | undefined
  readonly onChange: (min: string | undefined) => void
  readonly invalid?: boolean
  readonly describedBy?: string
}

function HowMany({ min, onChange, ...marks }: HowManyProps) {
  const { presence, one, many, entities } = filterBuilderText.entity
  return (
    <>
      <Choice
        label={presence}
        value={min === undefined ? 'one' : 'many'}
        size={14}
        options={[
          { value: 'one', label: one },
          { value: 'many', label: many },
        ]}
        onChange={(next) => onChange(next === 'one' ? undefined : '2')}
      />
      {min !== undefined && (
        <Box display="flex" flex="0 0 64px" data-least>
          <Field
            label={entities}
            value={min}
            inputMode="numeric"
            onChange={(value) => /^\d*$/.test(value) && onChange(value)}
            {...marks}
          />
        </Box>
      )}
    </>
  )
}

interface PropertyTestProps {
  readonly entity: string
  readonly property: PropertyNode
  readonly onChange: (property: PropertyNode) => void
  /** Undefined for the only test, which goes with its condition. */
  readonly onRemove: (() => void) | undefined
}

function PropertyTest({ entity, property, onChange, onRemove }: PropertyTestProps) {
  const { issues, tz, types } = useConditionScope()
  const { id, key, type, comparison, orMissing, sensitive } = property
  const known = findProperty(types, entity, key)
  const isSensitive = known?.sensitive === true
  const refusal = useRefusal(isSensitive)
  const own = isSensitive ? [...issues(id), ...sealedIssues(property, tz)] : issues(id)
  const wrong = useIssues(own)
  const [keyed, missing, marked] = [wrong('key'), wrong('orMissing'), wrong('sensitive')]
  const set = (part: Partial<PropertyNode>) => onChange({ ...property, ...part })
  const values = useOfferedValues({
    entity,
    key,
    type,
    known,
    isChosen: takesSeveral(type, comparison.op),
  })
  const [wasNew] = useState(known === undefined)
  const label = known?.label ?? propertyLabel(entity, key)
  return (
    <Group gap="xs" align="flex-start" flex={1} miw={0}>
      <Subject>
        {filterBuilderText.subjects.property({ type: labelOfType(types, entity), label })}
        {isSensitive && <SensitiveMark withLabel />}
        {onRemove && (
          <RemoveButton label={filterBuilderText.entity.removeTest({ label })} onClick={onRemove} />
        )}
      </Subject>
      {wasNew && known === undefined && (
        <Choice
          label={filterBuilderText.entity.dataType}
          value={type}
          size={11}
          options={dataTypeOptions}
          onChange={(next) => isDataType(next) && set({ type: next, comparison: newComparison(next) })}
        />
      )}
      {refusal === undefined && (
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
          {...values}
          {...(isSensitive && { operators: sealedOperators(type) })}
        />
      )}
      <OrMissing property={property} set={set} />
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
      {isSensitive && (
        <Text w="100%" fz="xs" c={refusal === undefined ? 'dimmed' : 'var(--mantine-color-error)'}>
          {refusal ?? filterBuilderText.sealed.note}
        </Text>
      )}
    </Group>
  )
}

interface OrMissingProps {
  readonly property: PropertyNode
  readonly set: (part: Partial<PropertyNode>) => void
}

function OrMissing({ property: { comparison, orMissing }, set }: OrMissingProps) {
  return asksForPresence(comparison.op) ? null : (
    <Checkbox
      size="xs"
      pt={8}
      label={filterBuilderText.entity.orMissing}
      checked={orMissing === true}
      onChange={({ currentTarget: { checked } }) => set({ orMissing: checked || undefined })}
    />
  )
}

const marks = [
  { value: 'true', label: filterBuilderText.entity.marks.sensitive },
  { value: 'false', label: filterBuilderText.entity.marks.open },
  { value: '', label: filterBuilderText.entity.marks.either },
]
const dataTypeOptions = dataTypes.map((value) => ({ value, label: dataTypeName(value) }))

/**
 * Returns why a sensitive property may not be tested. The matches reveal the value, so the test requires the scope to
 * read it, and some services allow it only in a segment.
 */
function useRefusal(isSensitive: boolean): string | undefined {
  const denied = useDenied('sensitive:read')
  const { sensitiveRefusal } = useConditionScope()
  if (!isSensitive) return undefined
  return denied === undefined ? sensitiveRefusal : filterBuilderText.sealed.denied({ reason: denied })
}
