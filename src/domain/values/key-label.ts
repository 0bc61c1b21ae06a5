const initials = new Set('bic iban id nif pin sms ssn tin uk url us vat vin'.split(' '))

/** Returns a property's key as readable text: "First registration" for `first_registration` and `firstRegistration`. */
export function keyLabel(key: string): string {
  const words = key
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[\s_.-]+/u)
    .filter((word) => word !== '')
    .map(spelt)
  const [first, ...rest] = words
  if (first === undefined) return key
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' ')
}

function spelt(word: string): string {
  const lower = word.toLowerCase()
  if (initials.has(lower)) return lower.toUpperCase()
  // Words in capitals are kept, since their author meant them to be.
  return /^\p{Lu}{2,}\d*$/u.test(word) ? word : lower
}
