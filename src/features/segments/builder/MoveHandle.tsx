import { Menu, Text } from '@mantine/core'
import { IconGripVertical } from '@tabler/icons-react'
import type { KeyboardEvent, PointerEvent } from 'react'

import { filterBuilderText } from '../../../messages/index.ts'
import { hint } from '../../../ui/Hint.tsx'
import { useBuilder } from './builder-context.ts'
import classes from '../../../domain/filter-builder/builder.module.css'
import { startDrag } from './drag.ts'
import type { Node } from '../../../domain/filter-builder/draft/nodes.ts'
import { type Direction, numberOf, stepsOf, groupsWithRoom } from './moves.ts'
import { IconButton } from '../../../ui/IconButton.tsx'

const moveText = filterBuilderText.move

const directions: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
}

export interface MoveHandleProps {
  readonly node: Node
  /** Position of the node in the tree, such as "2.1". */
  readonly number: string
}

/** Renders the handle that moves a node: by dragging, with the arrow keys, or through a menu of destinations. */
export function MoveHandle({ node, number }: MoveHandleProps) {
  const { root, move, say } = useBuilder()
  const { id } = node
  const isGroup = node.kind === 'group'
  const press = (event: KeyboardEvent) => {
    const direction = directions[event.key]
    if (!direction || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    // While the menu is open, the arrow keys belong to it.
    if (event.currentTarget.getAttribute('aria-expanded') === 'true') return
    event.preventDefault()
    const destination = stepsOf(root, id)[direction]
    if (destination) move(id, destination)
    else say(moveText.cannot[direction])
  }
  const drag = (event: PointerEvent<HTMLElement>) => {
    const handle = event.currentTarget
    const builder = handle.closest<HTMLElement>('[data-builder]')
    if (!builder) return
    // Prevents the press from selecting text or moving the focus away.
    event.preventDefault()
    handle.focus({ preventScroll: true })
    startDrag(event.nativeEvent, handle, {
      builder,
      id,
      label: (isGroup ? filterBuilderText.group : filterBuilderText.condition)({ place: number }),
      groups: groupsWithRoom(root, id).map((group) => group.id),
      onDrop: (destination) => move(id, destination),
    })
  }
  return (
    <Menu position="bottom-start" width={220}>
      <Menu.Target>
        <IconButton
          {...hint(moveText.hint)}
          aria-label={(isGroup ? moveText.group : moveText.condition)({ place: number })}
          data-handle
          className={classes.handle ?? ''}
          onKeyDown={press}
          onPointerDown={drag}
        >
          <IconGripVertical size={15} stroke={1.75} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <MoveItems id={id} />
      </Menu.Dropdown>
    </Menu>
  )
}

const keys = { up: '↑', down: '↓', in: '→', out: '←' } as const

function MoveItems({ id }: Pick<Node, 'id'>) {
  const { root, move } = useBuilder()
  const steps = stepsOf(root, id)
  const groups = groupsWithRoom(root, id).filter(({ parts }) => !parts.some((part) => part.id === id))
  return (
    <>
      {(['up', 'down', 'in', 'out'] as const).map((direction) => {
        const destination = steps[direction]
        return (
          <Menu.Item
            key={direction}
            disabled={!destination}
            rightSection={
              <Text component="kbd" c="dimmed" ff="inherit" fz="sm">
                {keys[direction]}
              </Text>
            }
            onClick={() => destination && move(id, destination)}
          >
            {moveText.steps[direction]}
          </Menu.Item>
        )
      })}
      {groups.length > 0 && <Menu.Divider />}
      {groups.map((group) => (
        <Menu.Item key={group.id} onClick={() => move(id, { group: group.id, index: group.parts.length })}>
          {group.id === root.id ? moveText.toEnd : moveText.toGroup({ place: numberOf(root, group.id) })}
        </Menu.Item>
      ))}
    </>
  )
}
