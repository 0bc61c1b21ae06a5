import type { Group, Node } from '../../../domain/filter-builder/draft/nodes.ts'

/** Destination of a node: in a group, before the part currently at the index. */
export interface Destination {
  readonly group: string
  readonly index: number
}

/** Returns the path from the root to a node, both included; empty if there is no such node. */
function pathTo(root: Node, id: string): readonly Node[] {
  if (root.id === id) return [root]
  if (root.kind !== 'group') return []
  for (const part of root.parts) {
    const path = pathTo(part, id)
    if (path.length > 0) return [root, ...path]
  }
  return []
}

/** Returns the number of a node as the builder shows it, such as "2.1"; empty for the root. */
export function numberOf(root: Node, id: string): string {
  const path = pathTo(root, id)
  return path
    .slice(1)
    .map((node, index) => indexIn(path[index], node.id) + 1)
    .join('.')
}

const indexIn = (group: Node | undefined, id: string) =>
  group?.kind === 'group' ? group.parts.findIndex((part) => part.id === id) : -1

/** Returns the tree with the node moved to `group` at `index`. */
export function moveNode(root: Node, id: string, { group, index }: Destination): Node {
  const node = pathTo(root, id).at(-1)
  if (!node || !groupsWithRoom(root, id).some((taker) => taker.id === group)) return root
  const put = (tree: Node): Node => {
    if (tree.kind !== 'group') return tree
    const parts = tree.parts.flatMap((part, at) => {
      const kept = part.id === id ? [] : [put(part)]
      return tree.id === group && at === index ? [node, ...kept] : kept
    })
    if (tree.id === group && index >= tree.parts.length) parts.push(node)
    return parts.length === tree.parts.length && parts.every((part, at) => part === tree.parts[at])
      ? tree
      : { ...tree, parts }
  }
  return put(root)
}

/** Returns the groups that have room for a node, including its current group but none inside the node itself. */
export function groupsWithRoom(root: Node, id: string): readonly Group[] {
  if (root.kind !== 'group' || root.id === id) return []
  const inner = root.parts.flatMap((part) => groupsWithRoom(part, id))
  return hasRoom(root) || (root.match === 'not' && indexIn(root, id) >= 0) ? [root, ...inner] : inner
}

/** A `not` group holds only one part. */
const hasRoom = ({ match, parts }: Group) => match !== 'not' || parts.length === 0

/** Returns the destinations one step away from a node, by direction. Impossible directions are omitted. */
export function stepsOf(root: Node, id: string): Partial<Record<'up' | 'down' | 'in' | 'out', Destination>> {
  const path = pathTo(root, id)
  const parent = path.at(-2)
  if (parent?.kind !== 'group') return {}
  const at = indexIn(parent, id)
  const [before, after] = [parent.parts[at - 1], parent.parts[at + 1]].map(roomIn)
  const outer = path.slice(0, -2).findLastIndex((node) => node.kind === 'group' && hasRoom(node))
  const [outside, own] = [path[outer], path[outer + 1]]
  return {
    ...(at > 0 && { up: { group: parent.id, index: at - 1 } }),
    ...(at < parent.parts.length - 1 && { down: { group: parent.id, index: at + 2 } }),
    ...(before
      ? { in: { group: before.id, index: before.parts.length } }
      : after && { in: { group: after.id, index: 0 } }),
    ...(outside && own && { out: { group: outside.id, index: indexIn(outside, own.id) + 1 } }),
  }
}

/** Returns the nearest group with room: the node itself, or the group that it negates. */
function roomIn(node: Node | undefined): Group | undefined {
  if (node?.kind !== 'group') return undefined
  return hasRoom(node) ? node : roomIn(node.parts[0])
}
