import type { Icon } from '@tabler/icons-react'

import { fold } from '#contract/index.ts'

import type { AvatarProps } from '../../ui/Avatar.tsx'
import { matchRanges } from '../../ui/Highlight.tsx'

/** One line that can be chosen. */
export interface Option {
  /** Unique among all that is offered, and the same as long as it means the same. */
  readonly id: string
  readonly icon: Icon
  /** A person's avatar in the place of the icon. */
  readonly avatar?: AvatarProps
  readonly label: string
  /** Whether the thing has no name of its own, so that `label` is a substitute, shown as such. */
  readonly nameless?: boolean
  /** Not found by its words: nothing in it is marked. */
  readonly unsought?: boolean
  readonly details?: readonly string[]
  /** Address of a link; absent where `run` is the action. */
  readonly to?: string
  readonly run?: () => void
  /** Whether the dialog stays open after the choice, so that the effect can be tried. */
  readonly stays?: boolean
  /** Why the caller may not choose it. */
  readonly denied?: string | undefined
  /** Further words by which it is found. */
  readonly words?: string
  /** Keys that do the same without all this. */
  readonly shortcut?: string | undefined
  /** Short form of the label; absent: the label itself. */
  readonly called?: string
}

export interface FindSection {
  readonly label: string
  readonly options: readonly Option[]
  /** Rows are on their way, and none are there yet. */
  readonly isLoading?: boolean
}

/** Whether every word of the query begins a word of the text. */
export function matches(text: string, query: string): boolean {
  const words = query.split(/\s+/).filter((word) => word !== '')
  return words.every((word) => matchRanges(text, word).length > 0)
}

/** Whether the query names the action, in whole words: "dark" does for "Switch to dark mode", as does "dark theme". */
export function isNamed({ label, called = label, words = '', denied }: Option, query: string): boolean {
  const asked = splitWords(query)
  const own = splitWords(`${label} ${words}`)
  return (
    denied === undefined &&
    splitWords(called).every((word) => asked.includes(word)) &&
    asked.every((word) => own.includes(word))
  )
}

const splitWords = (text: string) =>
  fold(text)
    .split(/\s+/)
    .filter((word) => word !== '')
