import type { ClipboardEvent } from 'react'

import { type DataType, isDataType, trimEnds } from '#contract/index.ts'
import { amountsIn, currenciesIn } from '#contract/reading/amounts.ts'
import { isBlank, type Part } from '#contract/reading/parts.ts'
import { meaningsOf, readText, targetAt } from '#contract/reading/reading.ts'
import { language } from '../../messages/index.ts'
import { type Draft, draftOf, notation, partOf, sameDraft, typeText, valueOf } from './draft.ts'
import { writtenNumber } from './numbers.ts'

/**
 * Returns the possible meanings of a text in another notation: none, one or several. Only a single one is applied
 * without asking. "3/1/2024" always has several, and so has "7.500" in German.
 */
export function readings(type: string, draft: Draft, part: Part = 'text'): readonly Draft[] {
  if (!isDataType(type)) return []
  const text = trimEnds((draft[part] ?? '').replace(/\s+/g, ' '))
  if (text === '') return []
  return meanings(type, text, draft, part).filter((read) => fits(type, read, part))
}

function meanings(type: DataType, text: string, draft: Draft, part: Part): readonly Draft[] {
  const start = typeText(draft, part, text)
  if (part === 'currency') return currenciesIn(text, language).map((code) => typeText(start, part, code))
  if (isInstant(type, part))
    return meaningsOf('DATETIME', { text }, notation).map((value) => typeText(start, part, String(value)))
  if (part !== 'text') return []
  // An amount may still lack its currency, without which it is no value.
  if (type === 'CURRENCY')
    return amountsIn(text, (draft.currency ?? '').trim().toUpperCase(), notation).map(
      ({ value, currency }) => {
        const amount = typeText(start, 'text', writtenNumber(value))
        return currency === undefined ? amount : typeText(amount, 'currency', currency)
      },
    )
  return meaningsOf(type, { text }, notation).map((value) => Object.assign({}, start, draftOf(type, value)))
}

/**
 * Returns the draft after a paste into one of the inputs; `undefined` leaves the paste to the browser. Line breaks,
 * which a single-line input would drop, become spaces.
 */
export function pasteText(
  type: string,
  draft: Draft,
  { target, clipboardData }: Pick<ClipboardEvent<HTMLElement>, 'target' | 'clipboardData'>,
): Draft | undefined {
  if (!isDataType(type) || type === 'TEXT' || !(target instanceof HTMLInputElement)) return undefined
  const part = partOf({ path: [target.name] })
  const { value, selectionStart: from, selectionEnd: to } = target
  const clipboard = clipboardData.getData('text')
  const address = type === 'RELATIONSHIP' && targetAt(clipboard)
  if (address) return draftOf(type, address)
  const [start, end] = [from ?? value.length, to ?? value.length]
  const text = clipboard.trim().replace(/\s+/g, ' ')
  const isWhole = start === 0 && end === value.length
  const isBroken = /[\r\n\t]/.test(clipboard.trim())
  if (!isWhole)
    return isBroken ? typeText(draft, part, value.slice(0, start) + text + value.slice(end)) : undefined
  const next = typeText(draft, part, text)
  if (fits(type, next, part)) return isBroken ? next : undefined
  const [only, ...others] = readings(type, next, part)
  return only && others.length === 0 ? only : isBroken ? next : undefined
}

/** Returns the draft after an input loses focus: its text in stored form if it has a single meaning, or undefined. */
export function settleDraft(type: string, draft: Draft, part: Part): Draft | undefined {
  if (!isDataType(type) || type === 'TEXT' || (draft[part] ?? '').trim() === '') return undefined
  // A valid amount may still lack its currency, without which it has no stored form.
  const isWhole = fits(type, draft, part) && !(type === 'CURRENCY' && part === 'text')
  const [only, ...others] = isWhole ? [draft] : readings(type, draft, part)
  if (!only || others.length > 0) return undefined
  // Another part of the value may still be missing, so the text may have no stored form yet.
  const read = valueOf(type, only)
  const stored = read.issues ? only : draftOf(type, read.value)
  return sameDraft(stored, draft) ? undefined : stored
}

export type MomentKind = 'DATE' | 'DATETIME'

/** Returns the stored form of a typed text if it is unambiguous; any other text is returned unchanged. */
export function readMoment(kind: MomentKind, text: string): string {
  const { value } = readText(kind, { text }, notation)
  return typeof value === 'string' ? value : text
}

/** Whether a part is valid, ignoring parts that are still empty. */
function fits(type: string, draft: Draft, part: Part): boolean {
  if (type === 'CURRENCY') {
    const code = draft.currency?.trim() ?? ''
    const one =
      part === 'currency' ? { text: '0', currency: code } : { text: draft.text, currency: code || 'EUR' }
    return !valueOf(type, one).issues
  }
  if (type === 'PREFERENCE' && part !== 'text')
    return !valueOf('DATETIME', { text: draft[part] ?? '' }).issues
  return !isBlank(draft) && !valueOf(type, draft).issues
}

const isInstant = (type: string, part: Part) =>
  type === 'PREFERENCE' && (part === 'statusDate' || part === 'expires')
