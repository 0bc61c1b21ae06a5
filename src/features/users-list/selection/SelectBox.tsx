import { Checkbox } from '@mantine/core'

import { selectionText } from '../../../messages/index.ts'
import classes from './Selection.module.css'
import type { Selection } from './use-selection.ts'

export interface SelectBoxProps {
  readonly id: string
  readonly name: string
  readonly selection: Selection
}

/** Before somebody's avatar. The keyboard selects from the row itself, so that Tab does not stop twice in it. */
export function SelectBox({ id, name, selection: { ids, toggle } }: SelectBoxProps) {
  return (
    <span className={classes.box}>
      <Checkbox
        size="xs"
        tabIndex={-1}
        aria-label={selectionText.select(name)}
        checked={ids.has(id)}
        // Shift would select the text of the rows between.
        onMouseDown={(event) => event.shiftKey && event.preventDefault()}
        onChange={({ nativeEvent }) => toggle(id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
      />
    </span>
  )
}
