import { listedText } from './index.ts'

const shown = 4

/** Lists the first names and counts the rest: "iban, city, zip, street and 3 more". */
export function listed(names: readonly string[]): string {
  return names.length <= shown + 1
    ? names.join(', ')
    : listedText.more({ names: names.slice(0, shown).join(', '), count: names.length - shown })
}
