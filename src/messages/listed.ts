import { number } from './format.ts'

const shown = 4

/** "iban, city, zip, street and 3 more". */
export function listed(names: readonly string[]): string {
  return names.length <= shown + 1
    ? names.join(', ')
    : `${names.slice(0, shown).join(', ')} and ${number(names.length - shown)} more`
}
