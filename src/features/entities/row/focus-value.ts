/** Selectors for the control of a value, by preference: checked radio, input, button that becomes one, any button. */
const controls = [
  'input:checked',
  ':is(input, textarea, select):not([tabindex="-1"])',
  '[data-gives-input]',
  'button',
]

export function focusValue(row: Element | null) {
  const cell = row?.querySelector('[data-value]')
  const control = controls.map((each) => cell?.querySelector<HTMLElement>(each)).find(Boolean)
  control?.focus()
}
