import * as z from 'zod'

/** Members for which null is refused, and not taken for absent. */
const refusingNull = new WeakSet<z.core.$ZodType>()

const nullRefused = 'A user always has one: leave it out to keep it.'

/** Makes a member of a change optional, and refuses null: nothing can be cleared, and the sender may have meant to. */
export function neverNull<Schema extends z.ZodType>(schema: Schema): z.ZodOptional<Schema> {
  const error = (issue: { input?: unknown }) => (issue.input === null ? nullRefused : undefined)
  const optional = schema.clone({ ...schema.def, error }).optional()
  refusingNull.add(optional)
  return optional
}

/**
 * Leaves out the optional members of a body whose value is null and that have no null of their own: clients in some languages
 * write null for what they do not have.
 */
export function leaveOutNulls(schema: z.core.$ZodType, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !containsNull(value)) return value
  return withoutNulls(schema, value)
}

const containsNull = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.values(value).some(containsNull))

function withoutNulls(schema: z.core.$ZodType, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return withoutNulls(schema.unwrap(), value)
  if (schema instanceof z.ZodPipe)
    return withoutNulls(schema.in instanceof z.ZodTransform ? schema.out : schema.in, value)
  if (schema instanceof z.ZodArray)
    return Array.isArray(value) ? value.map((each) => withoutNulls(schema.element, each)) : value
  if (schema instanceof z.ZodDiscriminatedUnion)
    return schema.options.reduce<unknown>((left, option) => withoutNulls(option, left), value)
  if (schema instanceof z.ZodRecord && !z.safeParse(schema.valueType, null).success)
    return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
  if (!(schema instanceof z.ZodObject) || Array.isArray(value)) return value
  const { shape } = schema
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
      const own = Object.hasOwn(shape, name) ? shape[name] : undefined
      if (own === undefined) return [[name, member]]
      return member === null && isAbsent(own) ? [] : [[name, withoutNulls(own, member)]]
    }),
  )
}

/** Whether null means that this member is absent. */
const isAbsent = (member: z.core.$ZodType) =>
  (member instanceof z.ZodOptional || member instanceof z.ZodDefault) &&
  !refusingNull.has(member) &&
  !z.safeParse(member, null).success
