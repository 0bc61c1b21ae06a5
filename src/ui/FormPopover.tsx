import { Popover } from '@mantine/core'
import {
  cloneElement,
  type ComponentProps,
  type ReactElement,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'

import type { lazyPart } from './lazy-part.tsx'

export interface FormPopoverProps {
  /** The button that opens it. */
  readonly face: ReactElement<ComponentProps<'button'>>
  readonly widthPx: number
  /** A press beside it does not put it away, with what was typed. */
  readonly staysOpen?: boolean
  /** The form's code, where that comes later than the button: it opens once the code is there. */
  readonly code?: Pick<ReturnType<typeof lazyPart>, 'readAhead' | 'whenRead'>
  readonly children: (close: () => void) => ReactNode
}

/** A form under the button that opens it, a dialog of that button's name. */
export function FormPopover({ face, widthPx, staysOpen = false, code, children }: FormPopoverProps) {
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
          onPointerEnter: code?.readAhead,
          onFocus: code?.readAhead,
        })}
      </Popover.Target>
      <Popover.Dropdown ref={form}>{children(() => setOpen(false))}</Popover.Dropdown>
    </Popover>
  )
}
