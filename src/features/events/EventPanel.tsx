import { IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'

import { links } from '../../domain/links.ts'
import { eventText } from '../../messages/index.ts'
import classes from './EventPanel.module.css'
import { IconButton } from '../../ui/IconButton.tsx'

export interface EventPanelProps {
  readonly title: ReactNode
  readonly children: ReactNode
}

/**
 * What is open beside the list, or over it where there is no room; with a key, so that the focus goes to the heading of
 * every other event. A dialog that leaves the page usable: Escape closes it, and the focus goes back to the row.
 */
export function EventPanel({ title, children }: EventPanelProps) {
  const titleId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const navigate = useNavigate()
  const { search, state } = useLocation()
  /** Of one that is passed by with the arrow keys, which stay in the list. */
  const isPassed = useRef((state as { readonly keepsFocus?: boolean } | null)?.keepsFocus === true)

  /** Once it is closed; not where another event takes its place. */
  const focusNext = useRef<HTMLElement>(null)

  useEffect(() => {
    if (!isPassed.current) heading.current?.focus({ preventScroll: true })
    return () => {
      const row = focusNext.current
      // The page's heading takes the focus at every new address: after that it goes back to where the reader was.
      if (row) requestAnimationFrame(() => row.focus({ preventScroll: true }))
    }
  }, [])

  const close = () => {
    focusNext.current = document.querySelector('tr[data-selected] a[data-row-link]')
    void navigate({ pathname: links.events(), search }, { preventScrollReset: true })
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it from wherever the focus is inside
    <dialog
      open
      aria-labelledby={titleId}
      className={classes.root}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close()
      }}
    >
      <div className={classes.head}>
        <h2 id={titleId} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <IconButton aria-label={eventText.detail.close} onClick={close}>
          <IconX size={16} />
        </IconButton>
      </div>
      {children}
    </dialog>
  )
}
