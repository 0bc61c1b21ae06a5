import { fold } from '../common.ts'

// Words of cells that mean the same in every file: no value, yes and no, consents.

/** Signs for a missing value, of people and of databases. */
const placeholders = new Set(String.raw`null|NULL|(null)|NaN|\N|n/a|N/A|n.a.|k.A.|k. A.|-|--|–|—`.split('|'))
/** Errors of spreadsheets in any language: #REF!, #BEZUG!, #NOM?, #N/A, #Н/Д, Err:502, and a column that is too narrow. */
const error = /^(?:#(?:[¡¿]?[\p{Lu}/]{2,}(?:\/0)?[!?]|N\/?[ADVB]|NV|Н\/Д|I\/T|BRAK|YOK)|Err:\d{3}|#{3,})$/u

export const isPlaceholder = (text: string) => placeholders.has(text) || error.test(text)

/** Dates that mail programs and databases write where there is none: 0/0/00, 0000-00-00 00:00:00. */
export const noDate = /^0{1,4}([-/.])0{1,2}\1(?:0{2}|0{4})(?:[ T]00:00(?::00)?)?$/

const yes =
  'true yes y on 1 x t ✓ ✔ ☑ ✅ ja j wahr oui o vrai sí si s verdadero sì vero sim verdadeiro waar tak prawda да истина evet doğru はい 是'
const no =
  'false no n off 0 f ☐ ✗ ✘ ❌ nein falsch non faux falso não nao nee onwaar nie fałsz nej нет ложь hayır yanlış いいえ 否'
export const truths: ReadonlyMap<string, boolean> = new Map([
  ...yes.split(' ').map((word) => [fold(word), true] as const),
  ...no.split(' ').map((word) => [fold(word), false] as const),
])

const consents: Readonly<Record<string, string>> = {
  GRANTED:
    'granted|subscribed|opt-in|opt in|opted in|opted-in|optin|abonniert|angemeldet|abonné|inscrit|suscrito|iscritto',
  DENIED: 'denied|opt-out|opt out|opted out|opted-out|optout',
  REVOKED: 'revoked|unsubscribed|abgemeldet|widerrufen|désabonné|désinscrit|cancelado|disiscritto',
}

export function consentIn(text: string): { readonly status: string } | undefined {
  const word = fold(text)
  const truth = truths.get(word)
  if (truth !== undefined) return { status: truth ? 'GRANTED' : 'DENIED' }
  const [status] =
    Object.entries(consents).find(([, words]) => words.split('|').map(fold).includes(word)) ?? []
  return status === undefined ? undefined : { status }
}
