import type { ProblemError, ValueIssue } from '#contract/index.ts'
import { describeInvalid } from './describe-failure.ts'

/** Errors of a property, by the input in its row. */
export interface RowIssues {
  readonly key?: string
  readonly type?: string
  readonly value?: readonly ValueIssue[]
}

/** Returns the reference tokens of a JSON Pointer (RFC 6901). */
export function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

export function pointerOf(steps: readonly PropertyKey[]): string {
  return steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Returns the first error of each form field in a rejected request. `rest` holds the errors of no field. */
export function assignToFields<Name extends string>(errors: readonly ProblemError[], names: readonly Name[]) {
  const fields = new Map<Name, string>()
  const rest: string[] = []
  for (const error of errors) {
    const { pointer } = error
    const detail = describeInvalid(error)
    const field = names.find((name) => name === stepsOf(pointer)[0])
    if (field === undefined) rest.push(detail)
    else if (!fields.has(field)) fields.set(field, detail)
  }
  return { fields, rest }
}

/**
 * Groups the errors of a rejected request by the row of each property and the entity's type. The rest belongs above
 * the form.
 * @param rowIds Row ids of the properties, in the order in which they were sent.
 */
export function assignToRows(errors: readonly ProblemError[], rowIds: readonly string[]) {
  const rows = new Map<string, RowIssues>()
  const rest: string[] = []
  let type: string | undefined
  for (const error of errors) {
    const { pointer } = error
    const detail = describeInvalid(error)
    const [collection, index, field, ...path] = stepsOf(pointer)
    const id = collection === 'properties' ? rowIds[Number(index)] : undefined
    const known = (id !== undefined && rows.get(id)) || {}
    if (collection === 'type' && index === undefined) type ??= detail
    else if (id === undefined) rest.push(detail)
    else if (field === 'key' || field === 'type') rows.set(id, { [field]: detail, ...known })
    else {
      const issue = { path: field === 'value' ? path : [], detail }
      rows.set(id, { ...known, value: [...(known.value ?? []), issue] })
    }
  }
  return { ...(type !== undefined && { type }), rows, rest }
}
