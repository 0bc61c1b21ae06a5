import fc from 'fast-check'
import { expect, test } from 'vitest'

import type { Filter } from '#contract/index.ts'
import { fromFilter, keepNodes, toFilter } from '../../../domain/filter-builder/draft/filter-codec.ts'
import type { Node } from '../../../domain/filter-builder/draft/nodes.ts'
import { moveNode, numberOf, stepsOf, groupsWithRoom } from './moves.ts'

const user = (value: string): Filter => ({ user: 'name', op: 'eq', value })

const { filters } = fc.letrec<{ filters: Filter }>((tie) => ({
  filters: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    fc.stringMatching(/^[a-z]{1,3}$/).map(user),
    fc.array(tie('filters'), { maxLength: 4 }).map((all) => ({ all })),
    fc.array(tie('filters'), { maxLength: 4 }).map((any) => ({ any })),
    tie('filters').map((not) => ({ not })),
  ),
}))

const all = (node: Node): readonly Node[] => [node, ...(node.kind === 'group' ? node.parts.flatMap(all) : [])]
const names = (root: Node) => all(root).map(({ id }) => id)
const node = (root: Node, number: string) => {
  const found = all(root).find(({ id }) => numberOf(root, id) === number)
  if (!found) throw new Error(`There is no ${number}.`)
  return found.id
}

test('moving a part anywhere loses nothing, and a "none of this" never holds two parts', () => {
  fc.assert(
    fc.property(filters, fc.nat(), fc.nat(), fc.nat(), (filter, which, where, at) => {
      const root = fromFilter(filter)
      const { id } = all(root)[which % all(root).length] ?? root
      const groups = groupsWithRoom(root, id)
      const group = groups[where % groups.length]
      if (!group) return
      const next = moveNode(root, id, { group: group.id, index: at % (group.parts.length + 1) })
      expect(names(next).toSorted()).toEqual(names(root).toSorted())
      for (const each of all(next))
        if (each.kind === 'group' && each.match === 'not') expect(each.parts.length).toBeLessThanOrEqual(1)
    }),
  )
})

test('every step leads where it says, and back', () => {
  fc.assert(
    fc.property(filters, fc.nat(), (filter, which) => {
      const root = fromFilter(filter)
      const { id } = all(root)[which % all(root).length] ?? root
      for (const [direction, destination] of Object.entries(stepsOf(root, id))) {
        const next = moveNode(root, id, destination)
        expect(next).not.toBe(root)
        const depth = (tree: Node) => numberOf(tree, id).split('.').length
        if (direction === 'in') expect(depth(next)).toBeGreaterThan(depth(root))
        else if (direction === 'out') expect(depth(next)).toBeLessThan(depth(root))
        else {
          const back = stepsOf(next, id)[direction === 'up' ? 'down' : 'up']
          expect(back && toFilter(moveNode(next, id, back))).toEqual(toFilter(root))
        }
      }
    }),
  )
})

test('a part goes up, down, into the group beside it and out again', () => {
  const root = fromFilter({ all: [user('a'), { any: [user('b')] }, { not: { all: [user('c')] } }] })
  const step = (number: string, direction: 'up' | 'down' | 'in' | 'out') => {
    const destination = stepsOf(root, node(root, number))[direction]
    return destination && toFilter(moveNode(root, node(root, number), destination))
  }
  const [b, c] = [{ any: [user('b')] }, { not: { all: [user('c')] } }]
  expect(step('1', 'up')).toBeUndefined()
  expect(step('1', 'down')).toEqual({ all: [b, user('a'), c] })
  expect(step('1', 'in')).toEqual({ all: [{ any: [user('a'), user('b')] }, c] })
  expect(step('2', 'in')).toEqual({ all: [user('a'), { not: { all: [b, user('c')] } }] })
  expect(step('3', 'in')).toEqual({ all: [user('a'), { any: [user('b'), c] }] })
  expect(step('2.1', 'out')).toEqual({ all: [user('a'), { any: [] }, user('b'), c] })
  // A negation holds only one part, so moving out of the negated group moves out of the negation too.
  expect(step('3.1.1', 'out')).toEqual({ all: [user('a'), b, { not: { all: [] } }, user('c')] })
})

test('a node cannot move into itself, nor beside the only part of a "none of this"', () => {
  const root = fromFilter({ all: [{ any: [{ all: [user('a')] }] }, { not: user('b') }] })
  expect(groupsWithRoom(root, node(root, '1')).map(({ id }) => numberOf(root, id))).toEqual([''])
  const [inner, not] = [node(root, '1.1'), node(root, '2')]
  expect(moveNode(root, node(root, '1'), { group: inner, index: 0 })).toBe(root)
  expect(moveNode(root, inner, { group: not, index: 1 })).toBe(root)
})

test('a filter that is read again keeps the parts that say the same', () => {
  const root = fromFilter({ all: [user('a'), { any: [user('b'), user('c')] }] })
  const next = keepNodes(root, fromFilter({ all: [{ any: [user('c'), user('d')] }, user('a')] }))
  expect(toFilter(next)).toEqual({ all: [{ any: [user('c'), user('d')] }, user('a')] })
  expect(node(next, '2')).toBe(node(root, '1'))
  expect(node(next, '1')).toBe(node(root, '2'))
  expect(node(next, '1.1')).toBe(node(root, '2.2'))
  expect(node(next, '1.2')).toBe(node(root, '2.1'))
})
