import '@mantine/core/styles/Menu.layer.css'
import '@mantine/core/styles/Popover.layer.css'

import { Menu } from '@mantine/core'

import { segments as text } from '../../messages/index.ts'
import { useBuilder } from './builder-context.ts'
import type { Node } from './draft.ts'
import { HandleFace } from './MoveHandle.tsx'
import { numberOf, stepsOf, takers } from './moves.ts'

const words = text.builder.move
const keys = { up: '↑', down: '↓', in: '→', out: '←' } as const
const directions = ['up', 'down', 'in', 'out'] as const

export interface MoveMenuProps {
  readonly node: Node
  readonly name: string
  readonly onClose: () => void
}

/** Mounted by the press that wants it, so it opens at once. */
export function MoveMenu({ node: { id }, name, onClose }: MoveMenuProps) {
  const { root, move } = useBuilder()
  const steps = stepsOf(root, id)
  const groups = takers(root, id).filter(({ parts }) => !parts.some((part) => part.id === id))
  return (
    <Menu
      defaultOpened
      onClose={onClose}
      returnFocus
      position="bottom-start"
      width={220}
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <HandleFace name={name} data-hint={undefined} />
      </Menu.Target>
      <Menu.Dropdown>
        {directions.map((direction) => {
          const spot = steps[direction]
          return (
            <Menu.Item
              key={direction}
              disabled={!spot}
              rightSection={<kbd>{keys[direction]}</kbd>}
              onClick={() => spot && move(id, spot)}
            >
              {words.steps[direction]}
            </Menu.Item>
          )
        })}
        {groups.length > 0 && <Menu.Divider />}
        {groups.map((group) => (
          <Menu.Item key={group.id} onClick={() => move(id, { group: group.id, index: group.parts.length })}>
            {words.to(numberOf(root, group.id))}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
