import type * as z from 'zod'

type AnswerIssue = z.core.$ZodIssue
type Holder = Record<PropertyKey, unknown>

const reported = new Set<string>()

/**
 * Repairs, in place, an answer of another service that does not fit the contract. A number or word in place of a text,
 * number or boolean is converted; a missing list becomes empty; an invalid optional field is removed. A row without a
 * required field is never removed: pages are counted by their rows, and a copy or an export would be incomplete.
 * Returns undefined if the answer still does not fit. Each odd field is reported once to the developers of that
 * service, by place and kind, never by value.
 */
export function mended(reply: z.ZodType, content: unknown, place: string): { data: unknown } | undefined {
  // A removed field may be required, which only the next round of parsing finds out.
  for (let round = 0; round < 3; round += 1) {
    const { data, error } = reply.safeParse(content)
    if (!error) return { data }
    for (const issue of error.issues) {
      const done = mendField(content, issue)
      if (done === undefined) return undefined
      tell(
        `${place}: "${issue.path.map((part) => (typeof part === 'number' ? '*' : part)).join('/')}" ${done}.`,
      )
    }
  }
  return undefined
}

/**
 * Lists of a person's current or former data, which are never repaired by removing a field. A value must not vanish
 * from data that is edited and written back, and an unreadable field may be the one that masks it.
 */
const guarded: ReadonlySet<PropertyKey> = new Set(['properties', 'changes'])

/** Repairs one field in place. Returns a description for developers; undefined if it cannot be repaired. */
function mendField(content: unknown, { code, path, ...issue }: AnswerIssue): string | undefined {
  if (code !== 'invalid_type' || !('expected' in issue)) return undefined
  let holder = content as Holder
  for (const part of path.slice(0, -1)) holder = holder[part] as Holder
  const key = path.at(-1)
  if (key === undefined) return undefined
  const { expected } = issue
  const value = holder[key]
  const kind = value === null ? 'null' : typeof value
  if (expected === 'array' && value == null) {
    holder[key] = []
    return `is missing, and taken for an empty list`
  }
  const read = readAs(expected, value)
  if (read !== undefined) {
    holder[key] = read
    return `is a ${kind} instead of a ${expected}, and read as one`
  }
  if (!['string', 'number', 'boolean'].includes(expected) || value === undefined) return undefined
  if (Array.isArray(holder) || (value !== null && path.some((part) => guarded.has(part)))) return undefined
  delete holder[key]
  return `is of the kind ${kind} instead of a ${expected}, and left out`
}

function readAs(expected: unknown, value: unknown): unknown {
  const isWhole = typeof value === 'number' && Number.isInteger(value)
  // Larger numbers have already lost digits.
  if (expected === 'string' && typeof value === 'number' && (!isWhole || Number.isSafeInteger(value)))
    return String(value)
  if (expected === 'number' && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
    return Number(value)
  if (expected === 'boolean' && typeof value === 'string' && /^(true|false)$/i.test(value))
    return value.toLowerCase() === 'true'
  if (expected === 'boolean' && (value === 0 || value === 1)) return value === 1
  return undefined
}

function tell(sentence: string): void {
  if (reported.has(sentence)) return
  reported.add(sentence)
  // oxlint-disable-next-line no-console -- for the developers of another service, who look for it there
  console.warn(sentence)
}
