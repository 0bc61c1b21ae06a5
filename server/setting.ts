// Schemas of single settings, each with a message that describes valid values.
import * as z from 'zod'

export const address = z
  .url({ protocol: /^https?$/, error: 'must be an absolute http(s) address' })
  .refine((value) => !/[?#]/.test(value), 'must have no query and no fragment')
  .refine((value) => !URL.parse(value)?.username, 'must have no user name and no password')
export const origin = address.refine((value) => URL.parse(value)?.origin === value)
export const wholeNumber = (what: string, min: number, max: number) =>
  z
    .string()
    .refine(
      (text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max,
      `must be ${what}, ${min} to ${max}`,
    )
    .transform(Number)
export const oneOf = <const Value extends string>(values: readonly Value[]) =>
  z.enum(values, `must be one of ${values.join(', ')}`)
