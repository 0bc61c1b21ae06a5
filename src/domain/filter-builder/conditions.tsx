import { Box, Stack } from '@mantine/core'

import { type UserField, userFields } from '#contract/index.ts'
import { filterBuilderText } from '../../messages/index.ts'
import { Choice, Field } from '../values/Field.tsx'
import { useConditionPlace } from './condition-context.ts'
import classes from './builder.module.css'
import {
  type EntityNode,
  newPropertyNode,
  type SegmentNode,
  type UserNode,
  retypeComparison,
} from './draft/nodes.ts'
import { useKnownKeys } from './known-keys.ts'
import { segmentName } from '../segments/names.ts'
import { PropertyTestEditor } from './PropertyTestEditor.tsx'
import { AddButton, ComparisonEditor } from './ComparisonEditor.tsx'
import { useIssues } from './Issues.tsx'
import { least as narrow, named, wide, Word } from './OperandEditor.tsx'

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

/** Condition on one entity: "Has 2 or more car where all of these are true: …". All tests apply to the same entity. */
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
