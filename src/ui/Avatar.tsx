import { IconUser } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import classes from './Avatar.module.css'
import { hueCount } from './palettes.ts'

export interface AvatarProps {
  /** Says which of the hues: the same at every place. */
  readonly id: string
  /** Absent: a figure instead of initials. */
  readonly name: string | undefined
  /** Pixels. */
  readonly size?: 24 | 32
}

/**
 * Somebody's initials in a hue of their own, beside their name. The letters are generated content, so that a row that
 * is read aloud, copied or searched for in the page says the name alone. Not Mantine's, which has two hooks for an image that nobody
 * has and costs the first page 1.3 kB: docs/decisions/0015.
 */
export function Avatar({ id, name, size = 24 }: AvatarProps) {
  const initials = name === undefined ? '' : initialsOf(name)
  return (
    <span
      className={classes.avatar}
      data-hue={hueOf(id)}
      data-size={size}
      data-initials={initials}
      aria-hidden
    >
      {initials === '' && <IconUser size={size * 0.6} stroke={1.75} />}
    </span>
  )
}

/** An avatar and, cut off where there is no room for it, a name. */
export function WithAvatar({ children, ...avatar }: AvatarProps & { readonly children: ReactNode }) {
  return (
    <span className={classes.beside}>
      <Avatar {...avatar} />
      {children}
    </span>
  )
}

/** The first letters of the first and the last word. */
export function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu) ?? []
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends.map((word = '') => /./u.exec(word)?.[0].toLocaleUpperCase() ?? '').join('')
}

/** A number below `hueCount`, spread evenly over ids of any form. */
export function hueOf(id: string): number {
  let sum = 0
  for (const character of id) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521
  return sum % hueCount
}
