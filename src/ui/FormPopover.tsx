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
  /** Whether the form takes a press of the button while it is open; otherwise the press closes it. */
  readonly takesPress?: boolean
  /** Code of the form if it is loaded separately; the form opens once the code has loaded. */
  readonly code?: Pick<LazyPart<object>, 'prefetch' | 'whenReadTyping'>
  /** Renders the form. `presses` counts those of the button that the form takes. */
  readonly children: (close: () => void, presses: number) => ReactNode
}

/** Form in a popover below its button. */
export function FormPopover(props: FormPopoverProps) {
  const { face, widthPx, staysOpen = false, takesPress = false, code, children } = props
  const [isOpen, setOpen] = useState(false)
  const [presses, setPresses] = useState(0)
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
          onClick: () => {
            if (isOpen && takesPress) setPresses(presses + 1)
            else if (code && !isOpen) code.whenReadTyping(() => setOpen(true))
            else setOpen(!isOpen)
          },
          onPointerEnter: code?.prefetch,
          onFocus: code?.prefetch,
        })}
      </Popover.Target>
      <Popover.Dropdown ref={form}>{children(() => setOpen(false), presses)}</Popover.Dropdown>
    </Popover>
  )
}
