import type { IncomingMessage } from 'node:http'
import formats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'

import { headerTable } from '../http/errors/bare-problems.ts'
import type { Description, Operation } from './description.ts'
import { marker } from './values.ts'

export interface CheckedAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

const maxProblemBytes = 64 * 1024
const maxReplyBytes = 8 * 1024 * 1024

/** Checks that every answer must pass. */
export function checks(description: Description) {
  const ajv = new Ajv2020({ strict: false, validateFormats: true })
  formats.default(ajv)
  ajv.addSchema(description, 'description')
  const validators = new Map<string, ReturnType<typeof ajv.compile>>()
  const validator = (pointer: string) => {
    const made = validators.get(pointer) ?? ajv.compile({ $ref: `description#${pointer}` })
    validators.set(pointer, made)
    return made
  }
  const places = new Map(
    Object.entries(description.paths).flatMap(([path, byMethod]) =>
      Object.entries(byMethod).map(
        ([method, operation]) =>
          [
            operation,
            `/paths/${path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${method}`,
          ] as const,
      ),
    ),
  )
  return function* (
    operation: Operation | undefined,
    body: string | undefined,
    { status, headers, text }: CheckedAnswer,
  ): Generator<string> {
    const isProblem = status >= 400
    if (status >= 500) yield `answers ${status}`
    for (const [name, value] of Object.entries(headerTable))
      if (headers[name] !== value) yield `${status} lacks ${name}`
    const documented = operation?.responses[status]
    if (operation && !documented && !isProblem) yield `answers ${status}, which is not described`
    if (!operation && !isProblem && status !== 204 && status !== 200)
      yield `answers ${status} to another method or id`
    for (const [name, { required }] of Object.entries(documented?.headers ?? {}))
      if (required === true && headers[name.toLowerCase()] === undefined) yield `${status} lacks ${name}`
    if (text.length > (isProblem ? maxProblemBytes : maxReplyBytes))
      yield `${status} of more than ${isProblem ? '64 KB' : '8 MB'}`
    if (isProblem && body !== undefined && text.includes(marker))
      yield `${status} repeats a value that was sent`
    if (!operation && !isProblem) return
    const content = isProblem ? { 'application/json': {} } : documented?.content
    if (!content) {
      if (text !== '') yield `${status} has a body`
      return
    }
    if ('text/event-stream' in content) return
    if (!('application/json' in content)) {
      if (!(String(headers['content-type']) in content)) yield `${status} is ${headers['content-type']}`
      return
    }
    if (headers['content-type'] !== 'application/json;charset=UTF-8')
      yield `${status} is ${headers['content-type']}`
    const place = isProblem
      ? '/components/schemas/Problem'
      : `${places.get(operation as Operation)}/responses/${status}/content/application~1json/schema`
    let json: unknown
    try {
      json = JSON.parse(text)
    } catch {
      return yield `${status} is no JSON`
    }
    if (isProblem && (json as { status?: unknown }).status !== status) yield `${status} says another status`
    const valid = validator(place)
    if (!valid(json))
      for (const { instancePath, message } of valid.errors ?? [])
        yield `${status} does not fit its schema: ${instancePath.replaceAll(/\d+/g, 'n')} ${message}`
  }
}
