import { opOf, type RecordedChange } from '../changesets/changes.ts'
import { canonical, type StoredProperties, type StoredProperty } from './properties.ts'

/** Returns the changed properties in order, then the removed ones. Properties in `unseen` always count as changed. */
export function propertyChanges(
  before: StoredProperties,
  after: StoredProperties,
  unseen: ReadonlySet<string> = new Set(),
): RecordedChange[] {
  const old = new Map(Object.entries(before))
  const changed = inOrder(after).flatMap(([key, now]): RecordedChange[] => {
    const then = old.get(key)
    if (then && !unseen.has(key) && isSame(then, now)) return []
    const { type, sensitive, value } = now
    return [
      {
        op: opOf(then, now),
        key,
        type,
        ...(then && then.type !== type && { typeBefore: then.type }),
        sensitive,
        ...(then && then.sensitive !== sensitive && { sensitiveBefore: then.sensitive }),
        ...(then && { before: then.value }),
        after: value,
      },
    ]
  })
  const removed: RecordedChange[] = inOrder(before)
    .filter(([key]) => !Object.hasOwn(after, key))
    .map(([key, { type, sensitive, value }]) => ({
      op: 'remove' as const,
      key,
      type,
      sensitive,
      before: value,
    }))
  const [first, ...others] = [...changed, ...removed]
  if (!first) return []
  const [orderBefore, orderAfter] = [inOrder(before), inOrder(after)].map((all) => all.map(([key]) => key))
  const isKept = orderBefore?.every((key, at) => orderAfter?.[at] === key)
  return [isKept || !orderBefore ? first : { ...first, orderBefore }, ...others]
}

function isSame(then: StoredProperty, now: StoredProperty): boolean {
  return (
    then.type === now.type &&
    then.sensitive === now.sensitive &&
    canonical(then.value) === canonical(now.value)
  )
}

function inOrder(properties: StoredProperties): [string, StoredProperty][] {
  return Object.entries(properties).sort(([, a], [, b]) => a.at - b.at)
}
