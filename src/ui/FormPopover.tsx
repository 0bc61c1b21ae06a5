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

import { typeAhead } from './keys/typed-ahead.ts'
import type { LazyPart } from './lazy-part.tsx'

export interface FormPopoverProps {
  /** Button that opens the form and names the popover for screen readers. */
  readonly face: ReactElement<ComponentProps<'button'>>
  readonly widthPx: number
  /** Whether a click outside and Escape keep the form open, so that its input is not lost; the form closes itself. */
  readonly staysOpen?: boolean
  /** Code of the form if it is loaded separately; the form opens once the code has loaded. */
  readonly code?: Pick<LazyPart<object>, 'prefetch' | 'whenReadTyping'>
  readonly children: (close: () => void) => ReactNode
}

/** Form in a popover below its button. */
export function FormPopover({ face, widthPx, staysOpen = false, code, children }: FormPopoverProps) {
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
      closeOnEscape={!staysOpen}
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
