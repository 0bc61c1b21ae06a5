import type * as z from 'zod'

import { isRole, type Role, roles } from '#contract/index.ts'

/** `name=role, other name=role`: what the issuer calls our roles. */
export function readRoleMap(list: string, context: z.RefinementCtx): Readonly<Record<string, Role>> {
  const pairs = list.split(',').map((pair) => /^\s*(.*\S)\s*=\s*(\S+)\s*$/.exec(pair)?.slice(1) ?? [])
  const known = pairs.filter((pair): pair is [string, Role] => isRole(pair[1]))
  if (known.length < pairs.length)
    context.addIssue(`must be a list of name=role, each role one of ${roles.join(', ')}`)
  if (new Set(known.map(([name]) => name)).size < known.length)
    context.addIssue('must give each name one role')
  return Object.fromEntries(known)
}
