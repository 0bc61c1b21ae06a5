import { Popover } from '@mantine/core'
import { cloneElement, type ReactNode, useEffect, useRef, useState } from 'react'

import type { LazyPart } from './lazy-part.tsx'
import type { OpenedProps } from './OpeningButton.tsx'

export interface PopoverFormProps {
  readonly widthPx: number
  /** A press beside it does not put it away, with what was typed. */
  readonly staysOpen?: boolean
  /** The form's code, where that comes later than the button: it opens once the code is there. */
  readonly code?: Pick<LazyPart<object>, 'prefetch' | 'whenRead'>
  readonly children: (close: () => void) => ReactNode
}

/** The form of `FormPopover.tsx` with its button, in the file that comes after the first page. */
export function PopoverForm({
  face,
  widthPx,
  staysOpen = false,
  code,
  children,
}: PopoverFormProps & OpenedProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const form = useRef<HTMLDivElement>(null)
  const wasOpen = useRef(isOpen)
  // Mantine's own way back is taken with Escape alone, and not once the form has been sent.
  useEffect(() => {
    const { activeElement } = document
    const isLeft = activeElement === document.body || form.current?.contains(activeElement) === true
    if (wasOpen.current && !isOpen && isLeft) button.current?.focus({ preventScroll: true })
    wasOpen.current = isOpen
  }, [isOpen])
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      width={`min(${widthPx}px, calc(100vw - 32px))`}
      withinPortal={false}
      closeOnClickOutside={!staysOpen}
      trapFocus
    >
      <Popover.Target>
        {cloneElement(face, {
          ref: button,
          onClick: () => (code && !isOpen ? code.whenRead(() => setOpen(true)) : setOpen(!isOpen)),
          onPointerEnter: code?.prefetch,
          onFocus: code?.prefetch,
        })}
      </Popover.Target>
      <Popover.Dropdown ref={form}>{children(() => setOpen(false))}</Popover.Dropdown>
    </Popover>
  )
}
