import type * as z from 'zod'

const ofThisService = new WeakMap<z.core.$ZodType, z.core.$ZodType>()
const alwaysThere = new WeakSet<z.core.$ZodType>()

/**
 * A member of an answer that this service always sends, and another one may leave out or send as null. The console reads it so;
 * the description of the API has what this service does.
 */
export function sendAlways<Schema extends z.ZodType>(schema: Schema): z.ZodOptional<z.ZodNullable<Schema>> {
  const lenient = schema.nullish()
  ofThisService.set(lenient, schema)
  alwaysThere.add(lenient)
  return lenient
}

/** A member that this service always sends by a schema of its own, and whose values the console takes as they come. */
export function sendAs<Lenient extends z.ZodType>(lenient: Lenient, own: z.ZodType): Lenient {
  alwaysThere.add(lenient)
  ofThisService.set(lenient, own)
  return lenient
}

/** How this service sends a member of an answer: whether always, and by which schema if not as the console reads it. */
export function sentMember(member: z.core.$ZodType) {
  return { own: ofThisService.get(member), isAlways: alwaysThere.has(member) }
}
