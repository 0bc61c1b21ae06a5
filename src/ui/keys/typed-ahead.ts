import { useEffect, useRef, useState } from 'react'

import { sharedText } from '../../messages/index.ts'
import { noAutofill } from './no-autofill.ts'

/** Field that takes the keys in the meantime. */
let held:
  | {
      readonly field: HTMLTextAreaElement
      readonly opener: Element | null
      readonly end: () => void
      readonly giveBack: () => void
    }
  | undefined
/** Number of openings whose code or data is still loading. */
let pending = 0

/**
 * Takes what is typed from a press on, until what was pressed has an input in the focus, which is then given it. Without
 * this, the keys would go to the pressed button, or be taken for single keys of the page.
 * @param options.isLeft Whether a field that has the focus is being left, so that nobody types into it any more.
 * @returns Function to call when the opened thing is there, or not coming. The first focus from then on decides: what
 * was typed goes into an input, and nowhere else.
 */
export function typeAhead({ isLeft = false } = {}): (isComing?: boolean) => void {
  pending += 1
  begin(isLeft)
  return (isComing = true) => {
    pending -= 1
    if (!isComing) stopTypingAhead()
  }
}

/**
 * Returns functions that take what is typed while a field is left and saved, for the one that opens after it: it would
 * be written into the field that is left, and go with it. `end` says whether the other is coming.
 */
export function useTypedAhead() {
  const done = useRef<ReturnType<typeof typeAhead>>(undefined)
  const [held] = useState(() => ({
    begin: () => {
      done.current ??= typeAhead({ isLeft: true })
    },
    end: (isComing: boolean) => {
      const { current } = done
      done.current = undefined
      current?.(isComing)
    },
  }))
  useEffect(() => () => held.end(false), [held])
  return held
}

/** Returns the element that has the focus, but for the field that takes the keys: then the element that was pressed. */
export function focusedElement(): Element | null {
  const { activeElement } = document
  return held && activeElement === held.field ? held.opener : activeElement
}

/** Whether an element is the field that takes the keys, so that the focus has not moved on yet. */
export const isTypedAhead = (element: Element): boolean => element === held?.field

/** Click handler of a link to a page that opens with the focus in an input, unless another tab opens it. */
export function typeAheadOfPage({ ctrlKey, metaKey, shiftKey, altKey }: Combined): void {
  if (!ctrlKey && !metaKey && !shiftKey && !altKey) typeAhead()()
}

type Combined = Pick<MouseEvent, 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>

/** Gives the focus back to what was pressed, if nothing that it opened has taken the focus. */
export function stopTypingAhead(): void {
  if (!held || pending > 0) return
  // Another element may have the focus by now, and be given what was typed.
  if (document.activeElement === held.field) held.giveBack()
  else decide()
}

function begin(isLeft: boolean) {
  const opener = document.activeElement
  // Somebody who is typing into a field continues there.
  if (
    held?.field.isConnected === true ||
    (!isLeft && opener?.matches('input, textarea, select, [contenteditable]') === true)
  )
    return
  const field = document.createElement('textarea')
  Object.assign(field, {
    className: 'ds-visually-hidden',
    tabIndex: -1,
    inputMode: 'none',
    ariaLabel: sharedText.loading,
  })
  for (const [name, value] of Object.entries(noAutofill)) field.setAttribute(name, String(value))
  const listening = new AbortController()
  const options = { capture: true, signal: listening.signal }
  const end = () => {
    listening.abort()
    held = undefined
    field.remove()
  }
  const giveBack = () => {
    end()
    if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
  }
  held = { field, opener, end, giveBack }
  field.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' || key === 'Tab') giveBack()
  })
  // Somebody who presses anything else has turned away from it.
  document.addEventListener('pointerdown', end, options)
  // Decided once the handlers of the event have run, since these may move the focus on.
  document.addEventListener('focusin', () => queueMicrotask(decide), options)
  document.body.append(field)
  field.focus({ preventScroll: true })
}

function decide() {
  if (!held) return
  const { field, end } = held
  const { activeElement } = document
  if (activeElement === field) return
  const text = field.value
  if (takesText(activeElement)) {
    end()
    if (text !== '') write(activeElement, text)
  } else if (pending > 0)
    // A closing menu gives the focus back to its button, and so does a button that is drawn again.
    field.focus({ preventScroll: true })
  else end()
}

type TextField = HTMLInputElement | HTMLTextAreaElement

/** Whether an element is a field that is written into; a checkbox has no place of a caret. */
function takesText(element: Element | null): element is TextField {
  return (
    (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) &&
    element.selectionStart !== null &&
    !element.readOnly
  )
}

/**
 * Writes a text where the caret is, as if it had been typed. In a field of one line, Enter is pressed after the first
 * line; nobody knows into which field the lines after it would have gone.
 */
function write(field: TextField, typed: string) {
  const [text = '', ...more] = field instanceof HTMLInputElement ? typed.split('\n') : [typed]
  const { selectionStart, selectionEnd, maxLength, value } = field
  const room = maxLength < 0 ? text.length : maxLength - value.length
  field.setRangeText(text.slice(0, room), selectionStart ?? 0, selectionEnd ?? 0, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  if (more.length === 0) return
  const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })
  // The field's own handler knows the text only once React has rendered it, in a microtask of its own.
  queueMicrotask(() => field.dispatchEvent(enter))
}
