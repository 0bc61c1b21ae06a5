import { IconUser } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import { hueCount } from './palettes.ts'
import classes from './Avatar.module.css'

export interface AvatarProps {
  /** Id that determines the hue, so that it is the same everywhere. */
  readonly id: string
  /** Name to take the initials from; undefined shows an icon instead. */
  readonly name: string | undefined
  readonly size?: 24 | 32
}

/** Initials in a person's own hue, as generated content: reading aloud, copying and finding yield only the name. */
export function Avatar({ id, name, size = 24 }: AvatarProps) {
  const initials = name === undefined ? '' : initialsOf(name)
  const hue = `--ds-hue-${hueOf(id)}` as const
  return (
    <span
      className={classes.avatar}
      style={{ background: `var(${hue}-bg)`, color: `var(${hue})` }}
      data-size={size}
      data-initials={initials}
      aria-hidden
    >
      {initials === '' && <IconUser size={size * 0.6} stroke={1.75} />}
    </span>
  )
}

export function WithAvatar({ children, ...avatar }: AvatarProps & { readonly children: ReactNode }) {
  return (
    <span className={classes.beside}>
      <Avatar {...avatar} />
      {children}
    </span>
  )
}

/** Returns the first letters of the first and the last word. */
export function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu) ?? []
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends.map((word = '') => /./u.exec(word)?.[0].toLocaleUpperCase() ?? '').join('')
}

/** Returns a number below `hueCount`, evenly distributed over ids of any form. */
export function hueOf(id: string): number {
  let sum = 0
  for (const character of id) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521
  return sum % hueCount
}
