import { listedText } from './index.ts'

const shown = 4

/** Lists the first names and counts the rest: "iban, city and zip", "iban, city, zip, street and 3 more". */
export function listNames(names: readonly string[]): string {
  if (names.length > shown + 1)
    return listedText.more({ names: names.slice(0, shown).join(', '), count: names.length - shown })
  const last = names.at(-1) ?? ''
  return names.length > 1 ? listedText.all({ names: names.slice(0, -1).join(', '), last }) : last
}
