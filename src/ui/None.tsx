import { sharedText } from '../messages/index.ts'

/** Sign for a value that is absent. On narrow screens a row of a table leaves out a cell with nothing else. */
export function None() {
  return (
    <span className="ds-dimmed" data-none>
      {sharedText.none}
    </span>
  )
}
