import { Button, Group as Controls } from '@mantine/core'
import { IconX } from '@tabler/icons-react'

import { filterBuilderText } from '../../../messages/index.ts'
import { hint } from '../../../ui/Hint.tsx'
import { firstControl } from '../../../domain/filter-builder/condition-context.ts'
import { useBuilder } from './builder-context.ts'
import classes from '../../../domain/filter-builder/builder.module.css'
import { type Group, newGroup, type Node } from '../../../domain/filter-builder/draft/nodes.ts'
import { IconButton } from '../../../ui/IconButton.tsx'

export function NodeTools({ node, parent }: { readonly node: Node; readonly parent: Group | undefined }) {
  const { change } = useBuilder()
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
        (group) =>
          group.kind === 'group'
            ? { ...group, parts: group.parts.flatMap((part) => (part.id === id ? node.parts : part)) }
            : group,
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
        <IconButton
          aria-label={filterBuilderText.remove}
          {...hint(filterBuilderText.remove)}
          onClick={() => change(id, () => undefined, `[data-add${parent ? `="${parent.id}"` : ''}] button`)}
        >
          <IconX size={15} stroke={1.75} />
        </IconButton>
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
