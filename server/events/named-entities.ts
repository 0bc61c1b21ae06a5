/** The keys by entity, as an event has them that tells of several; empty where it names none so. */
export function entitiesIn(named: unknown): ReadonlyMap<string, readonly string[]> {
  if (typeof named !== 'string') return new Map()
  return new Map(Object.entries(JSON.parse(named) as Record<string, string[]>))
}
