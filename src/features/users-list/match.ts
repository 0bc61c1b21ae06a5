import type { User } from '#contract/index.ts'
import { matchRanges } from '../../ui/Highlight.tsx'
import { emailOf, nameOf } from '../../domain/people/user-fields.ts'

/**
 * Whether every word of a search is found in the user's name, e-mail, ref or id: the rule by which the found parts
 * are marked. What signs hold together, as in `C-1042` or an e-mail, is found in one field.
 */
export function matcher(q: string): (user: User) => boolean {
  const words = q
    .normalize('NFC')
    .replace(/['’‘ʼ`´]/g, '')
    .split(/\s+/)
    .map((word) => word.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== ''))
    .filter((parts) => parts.length > 0)
  return (user) => {
    const fields = [nameOf(user), emailOf(user), user.ref, user.id].filter(
      (field) => typeof field === 'string',
    )
    const isFound = (parts: readonly string[]) =>
      fields.some((field) => parts.every((part) => matchRanges(field, part).length > 0))
    return words.length > 0 && words.every(isFound)
  }
}
