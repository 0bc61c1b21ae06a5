import type * as z from 'zod'

type AnswerIssue = z.core.$ZodIssue
type Holder = Record<PropertyKey, unknown>

const reported = new Set<string>()

/**
 * An answer of another service that does not fit the contract, made to fit, in place: a number or a word in the place of
 * a text, a number or a yes or no is read as that; a list that is not there is empty; what may be absent is left out.
 * A row that lacks what it must have is never left out: pages are counted by their rows, and what is copied for a person
 * or to a file would be short of it. `undefined`: it does not fit all the same. The developer of that service is told each
 * odd field once, by its place and kind, never by its value.
 */
export function mended(reply: z.ZodType, content: unknown, place: string): { data: unknown } | undefined {
  // A field that was left out may be required, which only the next round of parsing finds.
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
 * Lists of what a person's data is, or was. A value must not vanish from what is edited and written back, and a mark that
 * cannot be read may be the one that hides it.
 */
const guarded: ReadonlySet<PropertyKey> = new Set(['properties', 'changes'])

/** Repairs one field in place. Returns a description for developers; `undefined`: it cannot be repaired. */
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
  // Digits beyond that are lost already.
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
