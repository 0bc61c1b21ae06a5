/** JSON equality, whatever the order of members: databases keep those of an object in an order of their own. */
export function sameJson(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b)
}

function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, part: unknown) =>
    // A number that is kept digit by digit (JSON.rawJSON) has no prototype, and is written as it is.
    part !== null && typeof part === 'object' && Object.getPrototypeOf(part) === Object.prototype
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
