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
  readonly face: ReactElement<ComponentProps<'button'>>
}

interface OpeningButtonProps<Props extends object> extends OpenedProps {
  readonly opens: 'menu' | 'dialog'
  readonly part: LazyPart<Props & OpenedProps>
  readonly props: Props
}

/** Button whose menu or form is loaded lazily. If pressed earlier, it opens once the code is there. */
export function OpeningButton<Props extends object>({ face, opens, part, props }: OpeningButtonProps<Props>) {
  const [isRead, setRead] = useState(part.isRead)
  if (isRead) {
    const Part: ComponentType<Props & OpenedProps> = part
    return <Part {...props} face={face} />
  }
  const press = ({ currentTarget: { parentElement }, currentTarget }: MouseEvent<HTMLButtonElement>) => {
    const siblings = parentElement?.children ?? document.body.children
    const index = [...siblings].indexOf(currentTarget)
    // A menu takes the keys itself: nothing is typed into it.
    const open = opens === 'menu' ? part.whenRead : part.whenReadTyping
    open(() => {
      flushSync(() => setRead(true))
      // The loaded part has rendered the button again in the same place.
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
