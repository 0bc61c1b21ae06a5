/** The part of JSON Schema in which the contract's replies are written. */
export interface ReplySchema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, ReplySchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: ReplySchema
  readonly items?: ReplySchema
  readonly anyOf?: readonly ReplySchema[]
  /** Put in the place of what does not fit. */
  readonly default?: unknown
}

/**
 * Where a parsed JSON value does not fit its schema, as a JSON Pointer; `undefined`: it fits. Lenient as the contract
 * is: unknown members stay, and a part that has a default is replaced by it, in place, where it does not fit.
 */
export function misfit(schema: ReplySchema, value: unknown, at = ''): string | undefined {
  if (schema.anyOf && !schema.anyOf.some((one) => misfit(one, value) === undefined)) return at
  if (schema.type !== undefined && ![schema.type].flat().includes(typeOf(value))) return at
  if (typeof value !== 'object' || value === null) return undefined
  const part = (
    container: object,
    key: string | number,
    its: ReplySchema | undefined,
  ): string | undefined => {
    if (!its) return undefined
    const place = misfit(its, Reflect.get(container, key), `${at}/${key}`)
    if (place === undefined || its.default === undefined) return place
    Reflect.set(container, key, structuredClone(its.default))
    return undefined
  }
  const keys = Array.isArray(value)
    ? value.keys()
    : new Set([...(schema.required ?? []), ...Object.keys(value)]).values()
  for (const key of keys) {
    if (key === '__proto__') {
      // Parsed JSON may own such a member; copied on, it would become the copy's prototype.
      if (schema.type !== undefined) Reflect.deleteProperty(value, key)
      continue
    }
    const place = part(value, key, Array.isArray(value) ? schema.items : memberOf(schema, String(key)))
    if (place !== undefined) return place
  }
  return undefined
}

function memberOf({ properties, additionalProperties }: ReplySchema, key: string): ReplySchema | undefined {
  return properties && Object.hasOwn(properties, key) ? properties[key] : additionalProperties
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}
