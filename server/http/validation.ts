import type * as z from 'zod'

import { errorCodes, leaveOutNulls, maxErrors } from '#contract/index.ts'
import { invalid, Refusal, type RefusalError } from './errors/problem.ts'
import { pointer } from './json.ts'
import { wordIssue } from './word-issue.ts'

/**
 * Parses a value with a schema; returns `undefined` without a schema. Throws the refusal if the value does not match.
 */
export function parseInput(
  schema: z.ZodType | undefined,
  value: unknown,
  refuse: (error: z.ZodError, value: unknown) => Refusal,
): unknown {
  if (!schema) return undefined
  const result = schema.safeParse(leaveOutNulls(schema, value), { error: wordIssue })
  if (!result.success) throw refuse(result.error, value)
  return result.data
}

export function badParameters(error: z.ZodError, value: unknown): Refusal {
  const given = value as Readonly<Record<string, unknown>>
  const errors = error.issues.map((issue) => ({
    pointer: '',
    parameter: String(issue.path[0] ?? ''),
    code: 'invalid_parameter' as const,
    detail: Array.isArray(given[String(issue.path[0])]) ? 'Give this parameter once.' : issue.message,
  }))
  return new Refusal('invalid_parameter', 'A parameter of the address is not acceptable.', { errors })
}

export function badBody(error: z.ZodError, value: unknown): Refusal {
  if (value === undefined)
    return new Refusal('invalid_json', 'Send a JSON body; {} where there is nothing to say.')
  const errors: RefusalError[] = []
  let count = 0
  for (const issue of error.issues) {
    count += issue.code === 'unrecognized_keys' ? issue.keys.length : 1
    errors.push(...bodyErrors(issue, maxErrors - errors.length))
  }
  return invalid(errors, count)
}

/**
 * Converts a zod issue to at most `atMost` errors of a problem body: a body may have thousands, of which no more are
 * listed. The contract's messages name the rule, never the value.
 */
function bodyErrors(issue: z.core.$ZodIssue, atMost: number): RefusalError[] {
  if (atMost <= 0) return []
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, atMost).map((key) => ({
      pointer: pointer([...issue.path, key]),
      code: 'unknown_field',
      detail: 'There is no such field here; leave it out.',
    }))
  const own = issue.code === 'custom' ? issue.params?.code : undefined
  const code = errorCodes.find((each) => each === own) ?? 'invalid'
  return [{ pointer: pointer(issue.path), code, detail: issue.message }]
}
