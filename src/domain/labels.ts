/** Returns the label of an entity type: "Car" for `car`. */
export function typeLabel(type: string): string {
  return readable(type)
}

/**
 * Returns the label of a property: "First registration" for `first_registration` and `firstRegistration`.
 * @param type Type of its entity; undefined where the service tells the key alone, as in its records of reading.
 */
export function propertyLabel(_type: string | null | undefined, key: string): string {
  return readable(key)
}

/** Labels a property among those of several entity types: "Birthday" for a person's own, else "Car plate". */
export function labelWithType(type: string, key: string): string {
  return propertyLabel(type, type === 'person' ? key : `${type}.${key}`)
}

const initials = new Set('bic iban id nif pin sms ssn tin uk url us vat vin'.split(' '))

function readable(key: string): string {
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
