import { fold } from '#contract/index.ts'
import type { NamedEntry } from './definitions.ts'

/**
 * Returns the entries whose name or label has every typed word. An exact match comes first, then defined entries,
 * then inferred ones; in each, those that begin with the text, those that have it at the start of a word, and others.
 */
export function searchNamed<Entry extends NamedEntry>(
  entries: readonly Entry[],
  typed: string,
): readonly Entry[] {
  const text = fold(typed.trim())
  const words = text.split(/\s+/u)
  const places = Array.from({ length: 10 }, (): Entry[] => [])
  for (const entry of entries) {
    const rank = rankOf(entry, typed.trim(), text, words)
    if (rank !== undefined) places[rank <= 1 ? rank : rank + (entry.inferred ? 4 : 0)]?.push(entry)
  }
  return places.flat()
}

function rankOf(
  entry: NamedEntry,
  typed: string,
  text: string,
  words: readonly string[],
): number | undefined {
  const { name, label } = entry.folded
  if (text === '') return 2
  if (entry.name === typed) return 0
  if (name === text || label === text) return 1
  if (name.startsWith(text) || label.startsWith(text)) return 2
  if (startsWord(name, text) || startsWord(label, text)) return 3
  return words.every((word) => name.includes(word) || label.includes(word)) ? 4 : undefined
}

const betweenWords = /[\s_.-]/u

function startsWord(name: string, text: string): boolean {
  const at = name.indexOf(text)
  return at > 0 && betweenWords.test(name.charAt(at - 1))
}
