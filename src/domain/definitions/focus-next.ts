import { focusValue } from '../values/value-focus.ts'

const focusableControls = 'input, select, textarea, button, [tabindex="0"]'
const inputs = 'input, select, textarea'

const submits = '[type="submit"]'

/** Moves the focus from a picker to the next input of its form, or else to the button that submits it. */
export function focusNext(from: HTMLElement): void {
  const after = controlsAfter(from)
  const next =
    after.find((each) => each.matches(inputs)) ?? after.find((each) => each.matches(submits)) ?? after[0]
  next?.focus()
}

/** Moves the focus from a picker of properties to the value that follows (`data-value`), or else to what is next. */
export function focusNextValue(from: HTMLElement): void {
  const [cell] = controlsAfter(from).flatMap((each) => each.closest('[data-value]') ?? [])
  if (cell) focusValue(cell)
  else focusNext(from)
}

/** In a dialog, the buttons are beside the form rather than in it. */
function controlsAfter(from: HTMLElement): readonly HTMLElement[] {
  const scope = from.closest('[role="dialog"]') ?? from.closest('form') ?? document.body
  return [...scope.querySelectorAll<HTMLElement>(focusableControls)].filter(
    (each) =>
      (from.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 &&
      each.tabIndex >= 0 &&
      !each.matches(':disabled') &&
      each.closest('[inert]') === null,
  )
}
