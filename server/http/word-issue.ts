import type * as z from 'zod'

/** Names of what JSON has, in the sentences of refusals. */
const nouns: Readonly<Record<string, string>> = {
  string: 'a text, in quotes',
  number: 'a number, without quotes',
  int: 'a whole number, without quotes',
  boolean: 'true or false, without quotes',
  array: 'a list, in [ and ]',
  tuple: 'a list, in [ and ]',
  object: 'an object, in { and }',
  record: 'an object, in { and }',
  null: 'null',
}

type Issue = z.core.$ZodRawIssue

/** Words an issue of a schema that has no sentence of its own, so that no caller reads those of the validator. */
export function wordIssue(issue: Issue): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return 'There is no such field here; leave it out.'
    case 'invalid_type':
      return give(issue, nouns[issue.expected] ?? 'another value')
    case 'invalid_value':
      return give(issue, listChoices(issue.values.map(String)))
    case 'too_small':
      return `Give ${isNumber(issue.origin) ? '' : 'at least '}${count(issue.origin, issue.minimum)}${isNumber(issue.origin) ? ' or more' : ''}.`
    case 'too_big':
      return `Give at most ${count(issue.origin, issue.maximum)}.`
    case 'invalid_key':
      return issue.issues[0]?.message ?? 'Give another name.'
    case 'custom':
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_union':
    case 'not_multiple_of':
      return give(issue, 'a value in the form that the description of the API has for it')
  }
}

/** Says what to give, by its name where it is missing. */
function give({ input, path = [] }: Issue, what: string): string {
  const member = path.at(-1)
  return input === undefined && typeof member === 'string' ? `Give "${member}": ${what}.` : `Give ${what}.`
}

const listChoices = (choices: readonly string[]) =>
  choices.length < 2
    ? choices.join('')
    : `${choices.length > 2 ? 'one of ' : ''}${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`

const isNumber = (origin: string) => origin === 'number' || origin === 'int'

function count(origin: string, limit: number | bigint): string {
  const number = limit.toLocaleString('en')
  if (origin === 'string') return `${number} ${number === '1' ? 'character' : 'characters'}`
  return origin === 'array' ? `${number} of them` : number
}
