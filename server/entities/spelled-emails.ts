import { domainToUnicode } from 'node:url'

import { asciiDomain, emailKey, fold } from '#contract/index.ts'

/** An address in both spellings of its domain; one alone, where these are the same. */
export function spellingsOf(email: string): readonly string[] {
  const at = email.lastIndexOf('@') + 1
  const domain = asciiDomain(email.slice(at))
  if (domain === undefined || !/(?:^|\.)xn--/.test(domain)) return [email]
  const name = email.slice(0, at)
  return [...new Set([email, name + domain, name + (domainToUnicode(domain) || domain)])]
}

/** Before the ASCII form of a label. */
const encoded = 'xn--'

/** Beginnings that the key of an address can have, for a typed text that may be the beginning of that address. */
export interface KeyBeginnings {
  readonly sure: string
  /**
   * Beginning of the ASCII forms of domains whose last label is typed only in part. Other domains share it. In an ASCII
   * form, ASCII letters stand before all others.
   */
  readonly perhaps: string | undefined
}

/** Typed so far. */
export function keyBeginnings(typed: string): KeyBeginnings {
  const sure = emailKey(typed)
  const at = typed.lastIndexOf('@') + 1
  const dot = Math.max(sure.lastIndexOf('.'), sure.lastIndexOf('@')) + 1
  if (at === 0 || at === typed.length) return { sure, perhaps: undefined }
  const label = sure.slice(dot)
  if (label === '' || (fold(typed).endsWith(label) && label.startsWith(encoded)))
    return { sure, perhaps: undefined }
  const plain = label.startsWith(encoded)
    ? label.slice(encoded.length, Math.max(encoded.length, label.lastIndexOf('-')))
    : label
  return { sure, perhaps: sure.slice(0, dot) + encoded + plain }
}
