import type * as z from 'zod'

import { isRole, type Role, roles } from '#contract/index.ts'

/**
 * Parses `name=role, other name=role`, which maps the issuer's names to our roles. A backslash escapes a comma, an
 * equals sign or a backslash in a name, as names of a directory need (`CN=Help\,OU=Groups=support`); before any other
 * character it stands for itself.
 */
export function readRoleMap(list: string, context: z.RefinementCtx): Readonly<Record<string, Role>> {
  const pairs: string[][] = [[]]
  for (const sign of list.match(/\\[\\,=]|[^]/gu) ?? []) {
    if (sign === ',') pairs.push([])
    else pairs.at(-1)?.push(sign)
  }
  const known = pairs
    .map((signs) => {
      const end = Math.max(0, signs.lastIndexOf('='))
      const name = signs.slice(0, end).join('').trim()
      return [
        name.replace(/\\([\\,=])/g, '$1'),
        signs
          .slice(end + 1)
          .join('')
          .trim(),
      ] as const
    })
    .filter((pair): pair is readonly [string, Role] => pair[0] !== '' && isRole(pair[1]))
  if (known.length < pairs.length)
    context.addIssue(`must be a list of name=role, each role one of ${roles.join(', ')}`)
  if (new Set(known.map(([name]) => name)).size < known.length)
    context.addIssue('must give each name one role')
  return Object.fromEntries(known)
}
