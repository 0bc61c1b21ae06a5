import { domainToUnicode } from 'node:url'

import { asciiDomain, emailKey } from '#contract/index.ts'

/** Returns an address as given and with its domain in ASCII and in Unicode, without duplicates. */
export function spellingsOf(email: string): readonly string[] {
  const at = email.lastIndexOf('@') + 1
  const domain = asciiDomain(email.slice(at))
  if (domain === undefined || !/(?:^|\.)xn--/.test(domain)) return [email]
  const name = email.slice(0, at)
  return [...new Set([email, name + domain, name + (domainToUnicode(domain) || domain)])]
}

/** Prefix of the ASCII form of a label. */
const encoded = 'xn--'

/** Possible beginnings of an address's key, for a typed text that may be the beginning of the address. */
export interface KeyBeginnings {
  readonly sure: string
  /**
   * Beginning of the key if the last domain label is incomplete and, once complete, contains non-ASCII letters;
   * undefined if `sure` covers that too. Keys of other domains may begin alike: an ASCII form has its ASCII letters
   * first.
   */
  readonly perhaps: string | undefined
}

/** Returns the beginnings for the text typed so far. */
export function keyBeginnings(typed: string): KeyBeginnings {
  const sure = emailKey(typed)
  const at = typed.lastIndexOf('@') + 1
  const dot = Math.max(sure.lastIndexOf('.'), sure.lastIndexOf('@')) + 1
  if (at === 0 || at === typed.length) return { sure, perhaps: undefined }
  const label = sure.slice(dot)
  if (label === '' || (typed.toLowerCase().endsWith(label) && label.startsWith(encoded)))
    return { sure, perhaps: undefined }
  const plain = label.startsWith(encoded)
    ? label.slice(encoded.length, Math.max(encoded.length, label.lastIndexOf('-')))
    : label
  return { sure, perhaps: sure.slice(0, dot) + encoded + plain }
}
