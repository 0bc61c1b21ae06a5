import { cloneElement, type ComponentProps, type ComponentType, type ReactElement, useState } from 'react'

import { failureText } from '../messages/index.ts'
import { showToast } from './toast.tsx'

/** The button that a menu opens from. */
export type MenuFace = ReactElement<ComponentProps<'button'>>

/**
 * A button and its menu. A menu positions itself, which weighs more than the page around it: the code of the menu is
 * fetched when the button is pointed at or focused, and a press mounts the menu, opened, around the same button.
 */
export function LazyMenu<Props extends object>({
  face,
  load,
  given,
}: {
  readonly face: MenuFace
  readonly load: () => Promise<ComponentType<Props & { readonly face: MenuFace }>>
  /** What the menu needs to know. */
  readonly given: Props
}) {
  const [Menu, setMenu] = useState<ComponentType<Props & { readonly face: MenuFace }>>()
  // A failure is met again, and told, by the press.
  const fetchAhead = () => void load().catch(() => undefined)
  const open = () =>
    load().then(
      (loaded) => setMenu(() => loaded),
      () => showToast({ message: failureText.unloaded, tone: 'failure' }),
    )
  if (!Menu)
    return cloneElement(face, {
      onClick: () => void open(),
      onPointerEnter: fetchAhead,
      onFocus: fetchAhead,
    })
  return <Menu {...given} face={face} />
}
