import {
  cloneElement,
  type ComponentProps,
  type ComponentType,
  type MouseEvent,
  type ReactElement,
  useState,
} from 'react'
import { flushSync } from 'react-dom'

import type { LazyPart } from './lazy-part.tsx'

export interface OpenedProps {
  /** The button that opens it. */
  readonly face: ReactElement<ComponentProps<'button'>>
}

interface OpeningButtonProps<Props extends object> extends OpenedProps {
  readonly opens: 'menu' | 'dialog'
  /** Menu or form, with the button in it. */
  readonly part: LazyPart<Props & OpenedProps>
  readonly props: Props
}

/** A button whose menu or form comes later. Pressed before the code is there, it opens once it is. */
export function OpeningButton<Props extends object>({ face, opens, part, props }: OpeningButtonProps<Props>) {
  const [isRead, setRead] = useState(part.isRead)
  if (isRead) {
    const Part: ComponentType<Props & OpenedProps> = part
    return <Part {...props} face={face} />
  }
  const press = ({ currentTarget: { parentElement }, currentTarget }: MouseEvent<HTMLButtonElement>) => {
    const siblings = parentElement?.children ?? document.body.children
    const index = [...siblings].indexOf(currentTarget)
    part.whenRead(() => {
      flushSync(() => setRead(true))
      // The part has drawn the button again, in its place.
      const button = siblings[index]
      if (!(button instanceof HTMLButtonElement)) return
      button.focus({ preventScroll: true })
      button.click()
    })
  }
  return cloneElement(face, {
    'aria-haspopup': opens,
    'aria-expanded': false,
    onClick: press,
    onPointerEnter: part.prefetch,
    onFocus: part.prefetch,
  })
}
