import { type ComponentType, lazy } from 'react'

/** What a page can do without: where its code cannot be loaded, there is nothing in its place until the next load. */
export function lazyExtra<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy<ComponentType<Props>>(() =>
    load().then(
      (loaded) => ({ default: loaded }),
      () => ({ default: () => null }),
    ),
  )
}
