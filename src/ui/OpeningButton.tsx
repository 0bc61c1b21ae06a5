import {
  cloneElement,
  type ComponentProps,
  type ComponentType,
  type ReactElement,
  type RefObject,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'

import type { LazyPart } from './lazy-part.tsx'

export interface OpenedProps {
  /** The button that opens it. */
  readonly face: ReactElement<ComponentProps<'button'>>
  readonly button: RefObject<HTMLButtonElement | null>
}

interface OpeningButtonProps<Props extends object> {
  readonly face: OpenedProps['face']
  readonly opens: 'menu' | 'dialog'
  /** The part that the button opens, with the button in it. */
  readonly part: LazyPart<Props & OpenedProps>
  readonly props: Props
}

/** A button whose menu or form comes later. Pressed before the code is there, it opens once it is. */
export function OpeningButton<Props extends object>({ face, opens, part, props }: OpeningButtonProps<Props>) {
  const [isRead, setRead] = useState(part.isRead)
  const button = useRef<HTMLButtonElement>(null)
  if (isRead) {
    const Part: ComponentType<Props & OpenedProps> = part
    return <Part {...props} face={cloneElement(face, { ref: button })} button={button} />
  }
  const open = () => {
    flushSync(() => setRead(true))
    // The part has drawn the button again.
    button.current?.focus({ preventScroll: true })
    button.current?.click()
  }
  return cloneElement(face, {
    ref: button,
    'aria-haspopup': opens,
    'aria-expanded': false,
    onClick: () => part.whenRead(open),
    onPointerEnter: part.readAhead,
    onFocus: part.readAhead,
  })
}
