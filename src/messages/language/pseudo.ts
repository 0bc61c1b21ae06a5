import type { IntlMessageFormat } from 'intl-messageformat'

type Element = ReturnType<IntlMessageFormat['getAst']>[number]

/**
 * Whether the pseudo-locale is active. It lengthens every catalogue text by 40 %, as a translation might, to find
 * layout problems. Figure spaces after each word do so: they are as wide as a digit and do not break a line. Queries
 * for names and texts collapse them to one space, so all tests find the same texts. A text on the screen without
 * figure spaces does not come from a catalogue.
 */
export const isPseudo = import.meta.env.VITE_LOCALE === 'pseudo'

/** `TYPE.literal` of FormatJS's parser, which intl-messageformat does not export. */
const literal = 0

export const figureSpace = '\u2007'

const lengthenedWord = (word: string) =>
  /\p{L}/u.test(word) ? word + figureSpace.repeat(Math.ceil(word.length * 0.4)) : word

/** Returns a text with each of its words lengthened by 40 %. */
export function lengthen(text: string): string {
  return text.replaceAll(/\S+/g, lengthenedWord)
}

/** Removes trailing spaces from the parts of a message; otherwise they would separate a word from its full stop. */
export function withoutEndSpaces(parts: object): object {
  const trimmed = Object.entries(parts).map(([name, part]: [string, unknown]) =>
    typeof part === 'string' ? [name, part.replace(/\u2007+$/, '')] : [name, part],
  )
  return Object.fromEntries(trimmed) as object
}

/** Lengthens the words of a parsed message by 40 %. Parts stay unchanged, and so does a word that ends in a part. */
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
