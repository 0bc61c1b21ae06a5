import { Popover } from '@mantine/core'
import { cloneElement, type ReactNode, useEffect, useRef, useState } from 'react'

import type { MenuFace } from './LazyMenu.tsx'

export interface FormPopoverProps {
  /** The button that opens it: mounted by its press, it is open at once. */
  readonly face: MenuFace
  readonly widthPx: number
  /** A press beside it does not put it away, with what was typed. */
  readonly staysOpen?: boolean
  readonly children: (close: () => void) => ReactNode
}

/** A form under the button that opens it, a dialog of that button's name. */
export function FormPopover({ face, widthPx, staysOpen = false, children }: FormPopoverProps) {
  const [isOpen, setOpen] = useState(true)
  const button = useRef<HTMLButtonElement>(null)
  const form = useRef<HTMLDivElement>(null)
  // Mantine's own way back knows only what had the focus when it was opened after it was mounted.
  useEffect(() => {
    const { activeElement } = document
    const isLeft = activeElement === document.body || form.current?.contains(activeElement) === true
    if (!isOpen && isLeft) button.current?.focus({ preventScroll: true })
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
      <Popover.Target>{cloneElement(face, { ref: button, onClick: () => setOpen(!isOpen) })}</Popover.Target>
      <Popover.Dropdown ref={form}>{children(() => setOpen(false))}</Popover.Dropdown>
    </Popover>
  )
}
