import { type ComponentProps, type ElementType, type ReactNode, useEffect, useRef } from 'react'

let region: HTMLElement | null = null

const setRegion = (element: HTMLElement | null) => {
  region = element
}

/**
 * Place of announcements, within the live region of the page. Screen readers ignore a live region that comes with its
 * text, so it is there before.
 */
export function AnnouncedTexts() {
  return <div ref={setRegion} className="ds-visually-hidden" />
}

/** Announces a text. Returns a function that takes it back out of the region. */
function announce(words: string): () => void {
  // An element of its own: a text in place of an earlier one could silence that.
  const said = document.createElement('p')
  said.textContent = words
  region?.append(said)
  return () => said.remove()
}

/**
 * Announces a text once while the caller is mounted, and again whenever the text changes. For changes that do not take
 * the focus.
 */
export function useAnnounced(words: string | undefined): void {
  useEffect(() => (words === undefined || words === '' ? undefined : announce(words)), [words])
}

type AnnouncedProps<Kind extends ElementType> = ComponentProps<Kind> & {
  /** Element or component to render; it passes on its ref. */
  readonly as?: Kind
  /** Whether to announce the first text too, as of what appears while somebody waits for it. */
  readonly fromStart?: boolean
  readonly children?: ReactNode
}

/** Element whose text is announced whenever it changes. All of them speak through the one live region of the page. */
export function Announced<Kind extends ElementType = 'span'>(props: AnnouncedProps<Kind>) {
  const { as: Kind = 'span', fromStart = false, ...rest } = props
  const element = useRef<HTMLElement>(null)
  const last = useRef<string>(undefined)
  const takeBack = useRef<() => void>(undefined)
  // After each render, since the children may be elements whose text only the document tells.
  useEffect(() => {
    const words = element.current?.textContent ?? ''
    const before = last.current ?? (fromStart ? '' : words)
    last.current = words
    if (words === before) return
    takeBack.current?.()
    takeBack.current = words === '' ? undefined : announce(words)
  })
  useEffect(() => () => takeBack.current?.(), [])
  return <Kind {...rest} ref={element} />
}
