import { Menu, Text } from '@mantine/core'

import { segmentText } from '../../../messages/index.ts'
import type { MenuFace } from '../../../ui/LazyMenu.tsx'
import { OpenedMenu } from '../../../ui/OpenedMenu.tsx'
import { useBuilder } from './builder-context.ts'
import type { Node } from '../../../domain/filter-builder/draft/nodes.ts'
import { numberOf, stepsOf, takers } from './moves.ts'

const words = segmentText.builder.move
const keys = { up: '↑', down: '↓', in: '→', out: '←' } as const
const directions = ['up', 'down', 'in', 'out'] as const

export interface MoveMenuProps {
  readonly node: Node
  readonly face: MenuFace
}

/** Where a node may go. */
export function MoveMenu({ node: { id }, face }: MoveMenuProps) {
  const { root, move } = useBuilder()
  const steps = stepsOf(root, id)
  const groups = takers(root, id).filter(({ parts }) => !parts.some((part) => part.id === id))
  return (
    <OpenedMenu face={face} position="bottom-start" width={220}>
      {directions.map((direction) => {
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
    </OpenedMenu>
  )
}
