import { type FocusEvent, type RefObject, useEffect, useRef } from 'react'

/** Selectors for the control of a value, by preference: checked radio, input, button that becomes one, any button. */
const controls = [
  'input:checked',
  ':is(input, textarea, select):not([tabindex="-1"])',
  '[data-gives-input]',
  'button',
]

/** Moves the focus to the value of a row, or within the cell of a value. */
export function focusValue(within: Element | null) {
  const cell = within?.matches('[data-value]') === true ? within : within?.querySelector('[data-value]')
  const control = controls.map((each) => cell?.querySelector<HTMLElement>(each)).find(Boolean)
  control?.focus()
}

/** Puts the caret behind the text, where typing adds to it rather than replacing it unseen. */
export function putCaretLast(field: Element | null) {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return
  // Inputs such as checkboxes have no caret.
  if (field.selectionStart !== null) field.setSelectionRange(field.value.length, field.value.length)
}

/** Keeps the focus in a row: if the focused control is removed, focuses the row's value. */
export function useFocusKept(row: RefObject<HTMLElement | null>) {
  const last = useRef<Element>(null)
  useEffect(() => {
    if (last.current?.isConnected !== false || document.activeElement !== document.body) return
    focusValue(row.current)
    // Text typed into the input before is in this one, and more may come.
    putCaretLast(document.activeElement)
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
