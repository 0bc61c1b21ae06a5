import { type FocusEvent, type RefObject, useEffect, useRef } from 'react'

/** A row that takes the focus: made anew for each time that it is to. */
export interface RowFocus {
  readonly rowId: string
  readonly on: 'key' | 'value'
}

/** Where a value is typed, or in its place: what was chosen, an input, the button that gives one, any button. */
const controls = [
  'input:checked',
  ':is(input, textarea, select):not([tabindex="-1"])',
  '[data-gives-input]',
  'button',
]

/** Gives the focus to the value in a row. */
export function focusValue(row: Element | null) {
  const cell = row?.querySelector('[data-value]')
  const control = controls.map((each) => cell?.querySelector<HTMLElement>(each)).find(Boolean)
  control?.focus()
}

/** Keeps the focus in a row: where the control that had it goes with what it did, the value takes it. */
export function useFocusKept(row: RefObject<HTMLElement | null>) {
  const last = useRef<Element>(null)
  useEffect(() => {
    if (last.current?.isConnected === false && document.activeElement === document.body)
      focusValue(row.current)
  })
  return {
    onFocus: ({ target }: FocusEvent) => {
      last.current = target
    },
    onBlur: ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget) last.current = null
    },
  }
}
