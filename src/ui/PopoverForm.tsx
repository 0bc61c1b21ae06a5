import { Popover } from '@mantine/core'
import { cloneElement, type ReactNode, useEffect, useRef, useState } from 'react'

import { typeAhead } from './keys/typed-ahead.ts'
import type { LazyPart } from './lazy-part.tsx'
import type { OpenedProps } from './OpeningButton.tsx'

export interface PopoverFormProps {
  readonly widthPx: number
  /** Whether a click outside keeps the form open, so that its input is not lost. */
  readonly staysOpen?: boolean
  /** Code of the form if it is loaded separately; the form opens once the code has loaded. */
  readonly code?: Pick<LazyPart<object>, 'prefetch' | 'whenReadTyping'>
  readonly children: (close: () => void) => ReactNode
}

/** Implementation of `FormPopover.tsx`, in a chunk that loads after the first page. */
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
  // Mantine returns the focus only on Escape, not after the form was submitted.
  useEffect(() => {
    const { activeElement } = document
    const isLeft = activeElement === document.body || form.current?.contains(activeElement) === true
    if (wasOpen.current && !isOpen && isLeft) button.current?.focus({ preventScroll: true })
    wasOpen.current = isOpen
  }, [isOpen])
  // Mantine moves the focus into the form a moment later.
  useEffect(() => {
    if (isOpen) typeAhead()()
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
          onClick: () => (code && !isOpen ? code.whenReadTyping(() => setOpen(true)) : setOpen(!isOpen)),
          onPointerEnter: code?.prefetch,
          onFocus: code?.prefetch,
        })}
      </Popover.Target>
      <Popover.Dropdown ref={form}>{children(() => setOpen(false))}</Popover.Dropdown>
    </Popover>
  )
}
