import { Button, Group as Controls, Text } from '@mantine/core'
import { type ReactNode, useRef } from 'react'

import { AddButton } from '../../../domain/filter-builder/AddButton.tsx'
import { RemoveButton } from '../../../domain/filter-builder/ComparisonEditor.tsx'
import {
  ConditionContext,
  type ConditionScope,
  firstControl,
  useConditionScope,
  useFocusNext,
} from '../../../domain/filter-builder/condition-context.ts'
import {
  EntityCondition,
  SegmentCondition,
  UserCondition,
} from '../../../domain/filter-builder/conditions.tsx'
import type { FilterIssue } from '../../../domain/filter-builder/draft/filter-draft.ts'
import { changeNode, type Group, newGroup, type Node } from '../../../domain/filter-builder/draft/nodes.ts'
import { Issues, NodeFieldset } from '../../../domain/filter-builder/NodeFieldset.tsx'
import { SubjectButton } from '../../../domain/filter-builder/SubjectButton.tsx'
import { useSubjectTypes } from '../../../domain/filter-builder/use-subjects.ts'
import { Choice } from '../../../domain/values/Field.tsx'
import { filterBuilderText } from '../../../messages/index.ts'
import { hint } from '../../../ui/Hint.tsx'
import { isComposing } from '../../../ui/use-pointed.ts'
import { MoveHandle, type Mover, MoverContext } from './MoveHandle.tsx'
import { moveNode, numberOf } from './moves.ts'
import classes from '../../../domain/filter-builder/NodeFieldset.module.css'
import rails from '../../../domain/filters/Rail.module.css'

export interface FilterBuilderProps extends Pick<ConditionScope, 'issues' | 'touch' | 'segments' | 'tz'> {
  readonly root: Node
  readonly onChange: (root: Node) => void
  /** Announces a change to screen readers. */
  readonly say: (text: string) => void
}

export function FilterBuilder({ root, onChange, say, ...rest }: FilterBuilderProps) {
  const element = useRef<HTMLDivElement>(null)
  const focusNext = useFocusNext(element)
  const { types } = useSubjectTypes()
  /** Moves the focus to what usually follows a value: the button for the next condition. */
  const take = () => {
    const group = document.activeElement?.closest('[data-parts]')?.getAttribute('data-parts')
    element.current?.querySelector<HTMLElement>(`[data-add${group ? `="${group}"` : ''}] button`)?.focus()
  }
  const scope: ConditionScope = {
    ...rest,
    types,
    isInline: true,
    take,
    toValue: () => undefined,
    change(id, change, focus) {
      focusNext(focus)
      onChange(changeNode(root, id, change) ?? newGroup('all'))
    },
  }
  const move: Mover['move'] = (node, destination) => {
    const next = moveNode(root, node.id, destination)
    if (next === root) return
    focusNext(`[data-node="${node.id}"] [data-handle]`)
    onChange(next)
    const name = nameOfNode(node, numberOf(root, node.id))
    say(filterBuilderText.move.moved({ name, place: numberOf(next, node.id) }))
  }
  return (
    <MoverContext value={{ root, move, say }}>
      <ConditionContext value={scope}>
        {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- handles a key that its inputs leave to it */}
        <div
          ref={element}
          className={classes.root}
          data-builder
          onKeyDown={(event) => {
            // Enter in a value must not create the segment.
            if (event.key !== 'Enter' || event.defaultPrevented || isComposing(event)) return
            if (!(event.target instanceof HTMLInputElement)) return
            event.preventDefault()
            take()
          }}
        >
          <NodeEditor node={root} number="" />
          {root.kind !== 'group' && (
            <AddRow
              id={root.id}
              number=""
              onAdd={(part) =>
                scope.change(root.id, (node) => newGroup('all', [node, part]), firstControl(part))
              }
            />
          )}
        </div>
      </ConditionContext>
    </MoverContext>
  )
}

function nameOfNode(node: Node, number: string): string {
  const kind = node.kind === 'group' ? 'group' : 'condition'
  return number === '' ? filterBuilderText.whole[kind] : filterBuilderText[kind]({ place: number })
}

interface NodeProps {
  readonly node: Node
  /** Path of sibling numbers, such as "2.1"; empty for the whole filter. */
  readonly number: string
  readonly parent?: Group
}

function NodeEditor({ node, number, parent }: NodeProps) {
  const { touch, issues } = useConditionScope()
  const wrong = issues(node.id).filter((issue) => issue.position.control === 'node')
  const name = nameOfNode(node, number)
  const tools = <NodeTools node={node} parent={parent} />
  const handle = parent && <MoveHandle node={node} number={number} />
  return (
    <NodeFieldset
      label={name}
      nodeId={node.id}
      onLeave={node.kind === 'group' ? undefined : () => touch(node.id)}
    >
      {node.kind === 'group' ? (
        <GroupEditor group={node} number={number} handle={handle} tools={tools} issues={wrong} />
      ) : (
        <div className={classes.condition}>
          {handle}
          <Controls align="flex-start" gap="xs" miw={0} className={classes.controls ?? ''}>
            {node.kind === 'user' && <UserCondition node={node} />}
            {node.kind === 'entity' && <EntityCondition node={node} />}
            {node.kind === 'segment' && <SegmentCondition node={node} />}
          </Controls>
          {tools}
          <Issues issues={wrong} />
        </div>
      )}
    </NodeFieldset>
  )
}

interface GroupProps {
  readonly group: Group
  readonly number: string
  readonly handle: ReactNode
  readonly tools: ReactNode
  readonly issues: readonly FilterIssue[]
}

function GroupEditor({ group, number, handle, tools, issues }: GroupProps) {
  const { change } = useConditionScope()
  const { id, match, parts } = group
  const add = (part: Node) => change(id, () => ({ ...group, parts: [...parts, part] }), firstControl(part))
  return (
    <div className={rails.group} data-match={match}>
      <Controls gap="xs" mih="var(--ds-control-height)">
        {handle}
        {match === 'not' ? (
          <Text c="dimmed" fz="xs" fw={600}>
            {filterBuilderText.match.not}
          </Text>
        ) : (
          <Choice
            label={filterBuilderText.match.label}
            value={match}
            size={12}
            options={matches}
            onChange={(value) => change(id, () => ({ ...group, match: value === 'any' ? 'any' : 'all' }))}
          />
        )}
        {tools}
      </Controls>
      <Issues issues={issues} />
      <div className={rails.rail} data-parts={id}>
        {parts.length === 0 && (
          <Text c="dimmed" fz="sm">
            {filterBuilderText.emptyGroup[match]}
          </Text>
        )}
        {parts.map((part, index) => (
          <NodeEditor
            key={part.id}
            node={part}
            number={number === '' ? String(index + 1) : `${number}.${index + 1}`}
            parent={group}
          />
        ))}
        {(match !== 'not' || parts.length === 0) && <AddRow id={id} number={number} onAdd={add} />}
      </div>
    </div>
  )
}

const matches = (['all', 'any'] as const).map((value) => ({ value, label: filterBuilderText.match[value] }))

interface AddRowProps {
  readonly id: string
  readonly number: string
  readonly onAdd: (part: Node) => void
}

function AddRow({ id, number, onAdd }: AddRowProps) {
  const { condition, group } = filterBuilderText.add
  const nameOf = ({ toFilter, toGroup }: typeof condition) =>
    number === '' ? toFilter : toGroup({ place: number })
  return (
    <Controls data-add={id} gap={4}>
      <SubjectButton label={nameOf(condition)} onChoose={onAdd}>
        {condition.word}
      </SubjectButton>
      <AddButton label={nameOf(group)} onClick={() => onAdd(newGroup('any'))}>
        {group.word}
      </AddButton>
    </Controls>
  )
}

function NodeTools({ node, parent }: { readonly node: Node; readonly parent: Group | undefined }) {
  const { change } = useConditionScope()
  const { id } = node
  const isNot = node.kind === 'group' && node.match === 'not'
  const wrapIn = (match: Group['match']) => {
    const group = newGroup(match, [node])
    change(id, () => group, `[data-node="${group.id}"] :is(select, button)`)
  }
  const ungroup = () => {
    if (node.kind !== 'group') return
    const [only] = node.parts
    if (parent === undefined || parent.match === 'not') change(id, () => only, only && firstControl(only))
    else
      change(
        parent.id,
        () => ({ ...parent, parts: parent.parts.flatMap((part) => (part === node ? node.parts : part)) }),
        only ? firstControl(only) : `[data-add="${parent.id}"] button`,
      )
  }
  const canUngroup =
    node.kind === 'group' && (node.parts.length === 1 || (parent !== undefined && parent.match !== 'not'))
  return (
    <Controls gap={0} mih="var(--ds-control-height)" className={classes.tools ?? ''}>
      {!isNot && (
        <Tool explanation={filterBuilderText.negateHint} onClick={() => wrapIn('not')}>
          {filterBuilderText.negate}
        </Tool>
      )}
      <Tool explanation={filterBuilderText.wrapHint} onClick={() => wrapIn('all')}>
        {filterBuilderText.wrap}
      </Tool>
      {canUngroup && (
        <Tool explanation={filterBuilderText.unwrapHint} onClick={ungroup}>
          {filterBuilderText.unwrap}
        </Tool>
      )}
      {(parent !== undefined || node.kind !== 'group' || isNot) && (
        <RemoveButton
          label={filterBuilderText.remove}
          onClick={() => change(id, () => undefined, `[data-add${parent ? `="${parent.id}"` : ''}] button`)}
        />
      )}
    </Controls>
  )
}

interface ToolProps {
  readonly explanation: string
  readonly onClick: () => void
  readonly children: string
}

function Tool({ explanation, onClick, children }: ToolProps) {
  return (
    <Button size="compact-sm" variant="subtle" color="gray" {...hint(explanation)} onClick={onClick}>
      {children}
    </Button>
  )
}
