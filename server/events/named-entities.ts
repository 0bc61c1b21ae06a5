/** Parses the `entities` of an event: keys by entity. Returns an empty map for an event without `entities`. */
export function entitiesIn(named: unknown): ReadonlyMap<string, readonly string[]> {
  if (typeof named !== 'string') return new Map()
  return new Map(Object.entries(JSON.parse(named) as Record<string, string[]>))
}
