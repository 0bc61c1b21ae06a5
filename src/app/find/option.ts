import type { Icon } from '@tabler/icons-react'

import { fold } from '#contract/index.ts'
import type { AvatarProps } from '../../ui/Avatar.tsx'
import { matchRanges } from '../../ui/Highlight.tsx'

export interface Option {
  /** Id of the option: unique among all offered, and stable as long as the option means the same. */
  readonly id: string
  readonly icon: Icon
  /** Avatar of a person, shown instead of the icon. */
  readonly avatar?: AvatarProps
  readonly label: string
  /** Whether the thing has no name of its own, so that `label` is a substitute, shown as such. */
  readonly nameless?: boolean
  /** Whether the option was not found by its words, so that none of them are highlighted. */
  readonly unsought?: boolean
  readonly details?: readonly string[]
  /** Address of a link; undefined if `run` is the action. */
  readonly to?: string
  readonly run?: () => void
  /** Whether the dialog stays open after the choice, so that the effect can be tried. */
  readonly stays?: boolean
  readonly denied?: string | undefined
  /** Additional words by which the option is found. */
  readonly words?: string
  /** Keys that do the same without the dialog. */
  readonly shortcut?: string | undefined
  /** Short form of the label; defaults to the label. */
  readonly called?: string
}

export interface FindSection {
  readonly label: string
  readonly options: readonly Option[]
  /** Whether the first rows are still loading. */
  readonly isLoading?: boolean
}

/** Whether `matchRanges` finds every word of the query in the text. */
export function matches(text: string, query: string): boolean {
  const words = query.split(/\s+/).filter((word) => word !== '')
  return words.every((word) => matchRanges(text, word).length > 0)
}

/** Whether the query names the action in whole words: both "dark" and "dark theme" name "Switch to dark mode". */
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
