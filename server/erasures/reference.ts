import { emailKey, fold } from '#contract/index.ts'
import { Refusal } from '../http/errors/problem.ts'

/**
 * Minimum length of a ref that is searched for within a reference. Shorter ones may be part of other numbers by chance,
 * so they are only compared with the whole reference.
 */
const tellingRef = 5

/**
 * Refuses a reference that contains the deleted user's e-mail, name or ref as separate words, because the reference
 * outlives the user. Other personal data can only be recognised by its author.
 */
export function refusePersonal(
  reference: string,
  {
    email,
    name,
    ref,
  }: { readonly email: string | null; readonly name: string | null; readonly ref: string | null },
): void {
  const isRef =
    ref !== null &&
    (Array.from(ref).length >= tellingRef
      ? hasWords(reference, ref)
      : wordsOfText(reference) === wordsOfText(ref))
  const isPersonal =
    (email !== null && [email, emailKey(email)].some((each) => hasWords(reference, each))) ||
    (name !== null && isNamed(reference, name)) ||
    isRef
  if (!isPersonal) return
  throw new Refusal(
    'personal_reference',
    'The reference names the user, and would be kept after the deletion. Send one without personal data, such as a ticket number. Nothing was deleted.',
  )
}

/**
 * Whether a text contains all words of a name, in any order and with others between them: "López, Ana", "Ana Maria
 * Lopez".
 */
function isNamed(text: string, name: string): boolean {
  const sought = eachWord(name)
  return sought.size > 0 && sought.isSubsetOf(eachWord(text))
}

function hasWords(text: string, sought: string): boolean {
  const needle = wordsOfText(sought)
  return needle.trim() !== '' && wordsOfText(text).includes(needle)
}

const eachWord = (text: string) => new Set(wordsOfText(text).trim().split(' ').filter(Boolean))

/**
 * Returns a text in lower case without diacritics or invisible characters, with one space in place of all else that is
 * neither letter nor digit, and at both ends.
 */
export function wordsOfText(text: string): string {
  return ` ${fold(text.normalize('NFKC'))
    .normalize('NFD')
    .replaceAll(/[\p{Mn}\p{Default_Ignorable_Code_Point}]/gu, '')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ')} `
}
