import * as z from 'zod'

import { hiddenIn, newRef, userPatch, zonelessDatetime } from '#contract/index.ts'
import { userEditText } from '../../messages/index.ts'
import { momentInFull } from '../../ui/moments.tsx'
import { asSent, type UserField, type UserValues } from './user-fields.ts'

const sinceInvalid = userEditText.fields.sinceInvalid(momentInFull('2024-03-01T09:30:00'))

/**
 * The contract's rules, for what was typed; a value that came from the service and was left alone is never an error.
 * @param initial What the form began with.
 */
export function userFields(initial: UserValues) {
  const field = (name: UserField, rule: z.ZodType, message?: string) =>
    z.string().check((context) => {
      if (context.value === initial[name]) return
      const given = asSent(name, context.value)
      const result = rule.safeParse(given)
      if (!result.success)
        context.issues.push({
          code: 'custom',
          input: context.value,
          message: hiddenIn(given) ?? message ?? result.error.issues[0]?.message ?? '',
        })
    })
  const { name, email } = userPatch.shape
  return z.object({
    name: field('name', name),
    email: field('email', email, userEditText.fields.emailInvalid),
    ref: field('ref', newRef),
    since:
      initial.since === ''
        ? field('since', z.union([z.literal(''), zonelessDatetime]), sinceInvalid)
        : field('since', zonelessDatetime, sinceInvalid),
  })
}
