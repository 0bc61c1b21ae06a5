import { type ComponentProps, type ElementType, type ReactNode, useEffect, useRef } from 'react'

import { announce } from './announced.tsx'

type AnnouncedProps<Kind extends ElementType> = ComponentProps<Kind> & {
  /** Element or component to render; it passes on its ref. */
  readonly as?: Kind
  readonly children?: ReactNode
}

/** Element whose text is announced whenever it changes; its first text is read with the page. All of them speak through the one live region of the page. */
export function Announced<Kind extends ElementType = 'span'>(props: AnnouncedProps<Kind>) {
  const { as: Kind = 'span', ...rest } = props
  const element = useRef<HTMLElement>(null)
  const last = useRef<string>(undefined)
  const takeBack = useRef<() => void>(undefined)
  // After each render, since the children may be elements whose text only the document tells.
  useEffect(() => {
    const words = element.current?.textContent ?? ''
    const before = last.current ?? words
    last.current = words
    if (words === before) return
    takeBack.current?.()
    takeBack.current = words === '' ? undefined : announce(words, true)
  })
  useEffect(() => () => takeBack.current?.(), [])
  return <Kind {...rest} ref={element} />
}
