// Generates values from JSON schemas: valid and borderline ones.
import fc from 'fast-check'

import type { Description, Schema } from './description.ts'

/** Part of many generated texts: no refusal may repeat it. */
export const marker = 'Zqx'

const sampleWords = `Ana|ana@example.org|city|iban|car|person|Unknown email|| |A-1|0|12.50
|2024-02-29|2024-02-30|2024-02-29T12:00:00.000Z|2024-02-29T12:00:00|23:59|P30D|EUR|XXX|Europe/Paris|UTC|https://example.org/hooks|http://127.0.0.1/|javascript:alert(1)|true|ß|İ`
  .replaceAll('\n', '')
  .split('|')

/** Accepted values by member name, for members whose schema only says that they are text. */
const fitting: Readonly<Record<string, readonly string[]>> = {
  currency: ['EUR', 'JPY'],
  entity: ['car', 'person'],
  email: ['ana@example.org', 'bo@example.org', 'Unknown email'],
  from: ['2024-02-29T12:00:00Z'],
  key: ['city', 'iban'],
  since: ['2024-02-29T12:00:00.000', '2024-02-29T12:00:00.000Z'],
  to: ['2034-02-28T12:00:00Z'],
  type: ['car', 'person'],
  tz: ['Europe/Paris', 'UTC'],
  until: ['2034-02-28T12:00:00Z'],
  url: ['https://example.org/hooks', 'https://example.org/others'],
}
export const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...sampleWords) },
  fc.string({ unit: 'grapheme', maxLength: 30 }).map((made) => marker + made),
)

/**
 * Generates values for the schemas of one description: accepted ones, and some beyond a limit. The service may refuse
 * accepted ones too, because a schema does not state every rule.
 */
export class Values {
  readonly #description: Description
  readonly #made = new Map<Schema, fc.Arbitrary<unknown>>()
  readonly #depth = fc.createDepthIdentifier()

  constructor(description: Description) {
    this.#description = description
  }

  of(schema: Schema, name = ''): fc.Arbitrary<unknown> {
    let made = this.#made.get(schema)
    if (!made) {
      // Recursive schemas find this placeholder.
      made = fc.constant(undefined).chain(() => built)
      this.#made.set(schema, made)
      const built = this.#build(schema, name)
      this.#made.set(schema, built)
      return built
    }
    return made
  }

  #build(schema: Schema, name: string): fc.Arbitrary<unknown> {
    const choices = schema.anyOf ?? schema.oneOf
    if (schema.$ref !== undefined) return this.of(this.#resolveSchema(schema.$ref), name)
    if (choices) return fc.oneof(...choices.map((choice) => this.of(choice, name)))
    if ('const' in schema) return fc.constant(schema.const)
    if (schema.enum) return fc.constantFrom(...schema.enum)
    const types = [schema.type ?? []].flat()
    if (types.length === 0) return this.#anything()
    return fc.oneof(...types.map((type) => this.#valueOfType(type, schema, name)))
  }

  #valueOfType(type: string, schema: Schema, name: string): fc.Arbitrary<unknown> {
    switch (type) {
      case 'string':
        return this.#text(schema, name)
      case 'integer':
        return fc.integer({ min: schema.minimum ?? -5, max: schema.maximum ?? 1000 })
      case 'number':
        return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
      case 'boolean':
        return fc.boolean()
      case 'array': {
        const { minItems: minLength = 0, maxItems = 4, items = {} } = schema
        const maxLength = Math.max(minLength, Math.min(maxItems, items.type === 'string' ? 2 : 4))
        const options = { minLength, maxLength, depthIdentifier: this.#depth }
        const item = this.of(items, name.replace(/s$/, ''))
        return fc.oneof({ depthIdentifier: this.#depth, maxDepth: 4 }, fc.constant([]), {
          weight: 5,
          arbitrary: fc.array(item, options),
        })
      }
      case 'object':
        return this.#object(schema)
      default:
        return fc.constant(null)
    }
  }

  #text({ pattern, format, minLength = 0, maxLength = 100_000 }: Schema, name: string): fc.Arbitrary<string> {
    const fits = (made: string) => made.length >= minLength && made.length <= maxLength
    const isKnown =
      pattern === undefined &&
      Object.keys(this.#description.paths).some((path) => path.includes(`{${name}_id}`))
    const known = isKnown ? [{ weight: 100, arbitrary: fc.constant(`{${name}_id}`) }] : []
    if (format === 'uuid') return fc.oneof(fc.uuid(), ...known)
    if (format === 'uri') return fc.oneof(fc.webUrl(), fc.constantFrom('https://example.org/hooks'))
    const matches = pattern === undefined ? undefined : new RegExp(pattern, 'u')
    const named = fitting[name]
    const border = fc
      .constantFrom(maxLength, maxLength + 1)
      .map((length) => marker.padEnd(Math.min(length, 70_000), 'x'))
    return fc.oneof(
      ...known,
      ...(named ? [{ weight: 100, arbitrary: fc.constantFrom(...named) }] : []),
      { weight: 20, arbitrary: text.filter((made) => fits(made) && (matches?.test(made) ?? true)) },
      ...(matches ? [{ weight: 20, arbitrary: fc.stringMatching(matches).filter(fits) }] : []),
      border,
    )
  }

  #object(schema: Schema): fc.Arbitrary<unknown> {
    const { properties = {}, required = [] } = schema
    const of = (key: string) => this.of(properties[key] ?? {}, key)
    const record = (
      keys: readonly string[],
      needed: readonly string[],
      more: Record<string, fc.Arbitrary<unknown>> = {},
    ) =>
      fc.record(
        { ...Object.fromEntries(keys.map((key) => [key, of(key)])), ...more },
        { requiredKeys: [...needed, ...Object.keys(more)] },
      )
    // A filter takes one of these forms; its schema can only list all members as optional.
    if ('all' in properties && 'any' in properties)
      return fc.oneof(
        { depthIdentifier: this.#depth, maxDepth: 4 },
        { weight: 4, arbitrary: record(['user', 'op', 'value'], ['user', 'op', 'value']) },
        { weight: 4, arbitrary: record(['entity', 'where', 'min'], ['entity', 'where']) },
        record(['segment'], ['segment']),
        record(['all'], ['all']),
        record(['any'], ['any']),
        record(['not'], ['not']),
        record(Object.keys(properties), []),
      )
    const keys = Object.keys(properties)
    // In most cases, generates a value that matches its type, which a schema of both members cannot express.
    const types = properties.type?.enum
    if (types && 'value' in properties)
      return fc.constantFrom(...types).chain((type) => {
        const fitting = this.of(this.#description.components.schemas[`Value_${String(type)}`] ?? {})
        const value = fc.oneof({ weight: 6, arbitrary: fitting }, { weight: 1, arbitrary: this.#anything() })
        const others = keys.filter((key) => key !== 'type' && key !== 'value')
        return record(
          others,
          required.filter((key) => others.includes(key)),
          { type: fc.constant(type), value },
        )
      })
    if (required.length > 0 || keys.length < 3) return record(keys, required)
    const few = fc.subarray(keys, { minLength: 1, maxLength: 2 }).chain((some) => record(some, some))
    // Schemas with only optional members may require at least one of them, or allow at most one.
    return fc.oneof(record(keys, []), few)
  }

  #anything(): fc.Arbitrary<unknown> {
    return fc.oneof(
      { weight: 6, arbitrary: text },
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(text, { maxLength: 3 }),
      fc.jsonValue({ maxDepth: 2 }),
    )
  }

  #resolveSchema(pointer: string): Schema {
    let found: unknown = this.#description
    for (const name of pointer.replace(/^#\//, '').split('/'))
      found = (found as Record<string, unknown>)[name.replaceAll('~1', '/').replaceAll('~0', '~')]
    return found as Schema
  }
}
