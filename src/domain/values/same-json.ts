/** Whether two values are equal as JSON, ignoring the order of object members, which databases may change. */
export function sameJson(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b)
}

function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, part: unknown) =>
    // A number kept digit by digit (JSON.rawJSON) has no prototype and is serialized unchanged.
    part !== null && typeof part === 'object' && Object.getPrototypeOf(part) === Object.prototype
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
