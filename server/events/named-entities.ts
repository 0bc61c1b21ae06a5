/** Returns the keys by entity from an event about several entities; an empty map for other events. */
export function entitiesIn(named: unknown): ReadonlyMap<string, readonly string[]> {
  if (typeof named !== 'string') return new Map()
  return new Map(Object.entries(JSON.parse(named) as Record<string, string[]>))
}
