import type { User } from '#contract/index.ts'
import type { Scan } from '../../domain/user-list/list-state.ts'
import { userPages } from '../../domain/user-list/user-pages.ts'
import type { Run } from '../../domain/work/use-work.ts'
import { matchRanges } from '../../ui/Highlight.tsx'
import { emailOf, nameOf } from '../../domain/people/user-fields.ts'

/** Number of matches kept. Beyond it, a more specific search text helps more than a longer list. */
export const maxMatches = 500

export const nothingScanned: Scan = { searched: 0, total: undefined, matches: [], isCutOff: false, next: '' }

/** Scans the pages for matches. A repeated run resumes after the last page that was read. */
export function scanPages(q: string, segment: string): Run<Scan, void> {
  const isMatch = matcher(q)
  return async (signal, onProgress, from = nothingScanned) => {
    let scan = from
    for await (const { users, total, next } of userPages({ segment, from: from.next, signal })) {
      signal.throwIfAborted()
      const matches = [...scan.matches, ...users.filter(isMatch)]
      const isCutOff = matches.length > maxMatches
      scan = {
        searched: scan.searched + users.length,
        total: total ?? scan.total,
        matches: isCutOff ? matches.slice(0, maxMatches) : matches,
        isCutOff,
        next,
      }
      onProgress(scan)
      if (isCutOff || next === undefined) return
      signal.throwIfAborted()
    }
  }
}

/**
 * Returns a predicate that tests whether each word of a search is in a user's name, e-mail, ref or id, by the same rule
 * that highlights matches. The parts of a word with punctuation, such as `C-1042` or an e-mail, must be found in
 * one field.
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
