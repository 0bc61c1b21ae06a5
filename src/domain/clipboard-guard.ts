import { watchLooks, timeLeft } from '../auth/clock.ts'
import { put, sharedStorage } from '../auth/storage.ts'
import { maxSessionMs } from '../auth/tokens.ts'
import { watchCopies } from '../ui/clipboard.ts'

/** Time for which a sensitive value stays in the clipboard. */
const keptMs = 60_000
/**
 * Storage key for the time at which a sensitive value was copied. All tabs know that one is in the clipboard, and so does
 * the next load, but not which one.
 */
const copiedKey = 'data-store.copied'
/** Time after a page was left in which the next load empties the clipboard once more. */
const leavingMs = 10_000
/** Attribute of the elements that show a sensitive value, which a person may select and copy. */
export const revealedMark = { 'data-revealed': true }

let copied: { readonly text: string | undefined; readonly leftMs: () => number } | undefined
let stopLooking: (() => void) | undefined
let isEmptying = false
/** Whether the value has to go because the session is locked or over, and not because its time has come. */
let isOver = false
/** Whether the browser refused to empty the clipboard: by itself, which it may allow during an act, or for good. */
let refusal: 'none' | 'by itself' | 'for good' = 'none'
const listeners = new Set<() => void>()

/**
 * Removes a sensitive value that was copied in any tab from the clipboard, because the session is locked or over. An
 * unfocused page may not do so: the page that has the focus does, or this one when it gets it.
 */
export function emptyClipboard(): void {
  isOver = true
  if (refusal === 'by itself') setRefusal('for good')
  look()
}

/** Whether a sensitive value has to stay in the clipboard, until the browser allows to empty it or a person copies again. */
export const isClipboardKept = () => refusal === 'for good'

export function watchClipboard(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function setRefusal(next: typeof refusal) {
  if (next === refusal) return
  refusal = next
  for (const listener of listeners) listener()
}

function guard(text: string | undefined) {
  put(sharedStorage, copiedKey, String(Date.now()))
  keepWatch(text, keptMs)
  // A write that is begun before a page is left mostly arrives; one that is begun while it is left does not.
  addEventListener('beforeunload', emptyOnLeaving)
}

function keepWatch(text: string | undefined, ms: number) {
  setRefusal('none')
  isOver = false
  copied = { text, leftMs: timeLeft(ms) }
  stopLooking ??= watchLooks(look)
}

function forget() {
  sharedStorage?.removeItem(copiedKey)
  loseWatch()
}

function loseWatch() {
  copied = undefined
  stopLooking?.()
  stopLooking = undefined
  removeEventListener('beforeunload', emptyOnLeaving)
  setRefusal('none')
}

function look(event?: Event) {
  if (!copied || isEmptying || !document.hasFocus()) return
  const isAct = event?.type === 'click' || event?.type === 'keydown'
  if (isOver || copied.leftMs() <= 0) {
    if (isAct || refusal === 'none') void empty(copied, isAct)
  } else if (event?.type === 'focus' && event.target === window) void forgetIfReplaced(copied)
}

async function empty(before: NonNullable<typeof copied>, isAct: boolean) {
  isEmptying = true
  try {
    // Some browsers allow it at the very moment of an act alone, which leaves no time to read.
    if (before.text === undefined || refusal !== 'none' || (await mayHold(before.text)))
      await navigator.clipboard.writeText('')
    if (copied === before) forget()
  } catch {
    // Without the focus, it is tried again when the page gets it.
    if (document.hasFocus() && copied === before) setRefusal(isAct || isOver ? 'for good' : 'by itself')
  } finally {
    isEmptying = false
  }
}

async function forgetIfReplaced(before: NonNullable<typeof copied>) {
  if (before.text !== undefined && !(await mayHold(before.text)) && copied === before) forget()
}

function emptyOnLeaving() {
  // The next load does it at once if this is too late.
  put(sharedStorage, copiedKey, String(Date.now() - keptMs))
  void navigator.clipboard.writeText('').then(noteEmptied, () => undefined)
}

/** Browsers answer such a write even where they drop it with the page, so the next load repeats it (negative time). */
function noteEmptied() {
  put(sharedStorage, copiedKey, String(-Date.now()))
  loseWatch()
}

function repeatEmptying(leftAtMs: number) {
  if (Date.now() - leftAtMs > leavingMs) return forget()
  keepWatch(undefined, 0)
  const repeated = copied
  // Something else may have been copied by the time that this page gets the focus.
  setTimeout(() => copied === repeated && forget(), leavingMs)
}

/** Whether the clipboard may still hold a text. It is not read where the browser would ask the person first. */
async function mayHold(text: string): Promise<boolean> {
  try {
    const { state } = await navigator.permissions.query({ name: 'clipboard-read' as PermissionName })
    return state !== 'granted' || (await navigator.clipboard.readText()) === text
  } catch {
    return true
  }
}

/** Follows what the person copies by hand. A press of the keys with nothing selected copies nothing. */
function noteCopy({ target, defaultPrevented }: ClipboardEvent) {
  const selection = getSelection()
  const isOfField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
  const isSelected = isOfField ? target.selectionStart !== target.selectionEnd : String(selection) !== ''
  if (!isSelected && !defaultPrevented) return
  const revealed = document.querySelectorAll('[data-revealed]')
  if (!isOfField && [...revealed].some((part) => selection?.containsNode(part, true))) guard(undefined)
  else if (copied) forget()
}

/** Takes over what another tab, or the page before this one, has copied. */
function takeOver() {
  const text = sharedStorage?.getItem(copiedKey)
  if (text == null || Number(text) < 0) return loseWatch()
  const ageMs = Math.abs(Date.now() - Number(text))
  // After a day's work something else has been copied elsewhere.
  if (ageMs < maxSessionMs) keepWatch(undefined, keptMs - ageMs)
  else if (!copied) forget()
}

watchCopies((text, isSensitive) => (isSensitive ? guard(text) : forget()))
document.addEventListener('copy', noteCopy)
document.addEventListener('cut', noteCopy)
addEventListener('storage', ({ key }) => key === copiedKey && takeOver())
const found = sharedStorage?.getItem(copiedKey)
if (Number(found) < 0) repeatEmptying(-Number(found))
else if (found != null) takeOver()
