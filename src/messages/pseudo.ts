import type { IntlMessageFormat } from 'intl-messageformat'

type Element = ReturnType<IntlMessageFormat['getAst']>[number]

/**
 * The pseudo-locale: every text of the catalogues is 40 % longer, as it may be in another language. Figure spaces after
 * each word do it: they are as wide as a letter and break no line, and whoever asks for a name or a sentence reads them as one
 * blank, so that tests and journeys find the same texts. A text on the screen without one comes from no catalogue.
 */
export const isPseudo = import.meta.env.VITE_LOCALE === 'pseudo'

/** `TYPE.literal` of FormatJS's parser, which intl-messageformat does not export. */
const literal = 0

export const figureSpace = '\u2007'

const lengthenedWord = (word: string) =>
  /\p{L}/u.test(word) ? word + figureSpace.repeat(Math.ceil(word.length * 0.4)) : word

/** A text with each of its words 40 % longer. */
export function lengthened(text: string): string {
  return text.replaceAll(/\S+/g, lengthenedWord)
}

/** Parts of a message without the spaces at their ends, which would come between a word and its full stop. */
export function withoutEndSpaces(parts: object): object {
  const trimmed = Object.entries(parts).map(([name, part]: [string, unknown]) =>
    typeof part === 'string' ? [name, part.replace(/\u2007+$/, '')] : [name, part],
  )
  return Object.fromEntries(trimmed) as object
}

/** A parsed message with its words 40 % longer; its parts stay as they are, and a word that ends in one. */
export function lengthenedMessage(elements: readonly Element[]): Element[] {
  return elements.map((element, index) => {
    if ('options' in element) {
      const options = Object.entries(element.options).map(
        ([key, option]) => [key, { ...option, value: lengthenedMessage(option.value) }] as const,
      )
      return { ...element, options: Object.fromEntries(options) }
    }
    const { type }: { type: number } = element
    if (type !== literal || !('value' in element)) return element
    const isLast = index === elements.length - 1
    return { ...element, value: element.value.replaceAll(isLast ? /\S+/g : /\S+(?=\s)/g, lengthenedWord) }
  })
}
