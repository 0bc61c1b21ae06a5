import {
  cloneElement,
  type ComponentProps,
  type ComponentType,
  lazy,
  type ReactElement,
  Suspense,
  useState,
} from 'react'

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
  const [Menu] = useState(() => lazy(async () => ({ default: await load() })))
  const [isWanted, setWanted] = useState(false)
  // A failure is met again, and told, by the press.
  const fetchAhead = () => void load().catch(() => undefined)
  if (!isWanted)
    return cloneElement(face, {
      onClick: () => setWanted(true),
      onPointerEnter: fetchAhead,
      onFocus: fetchAhead,
    })
  return (
    <Suspense fallback={face}>
      <Menu {...given} face={face} />
    </Suspense>
  )
}
