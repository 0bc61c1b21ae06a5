/** A text to which the code offers more parts than every language needs: each takes those of its own grammar. */
export type Phrase<Offered> = string | ((parts: Offered) => string)

export function say<Offered>(phrase: Phrase<Offered>, offered: Offered): string {
  return typeof phrase === 'string' ? phrase : phrase(offered)
}

/** Two pieces of a list. */
export interface ListParts {
  readonly first: string
  /** The pieces after the first one, joined already. */
  readonly rest: string
  /** Whether these are the only two pieces of the list, its last two, or two with others after them. */
  readonly place: 'pair' | 'last' | 'earlier'
}

/** Joins a list from its end: "a and b and c" by "{first} and {rest}". */
export function joinList(join: Phrase<ListParts>, pieces: readonly string[]): string {
  const last = pieces.length - 1
  return pieces.reduceRight((rest, first, index) => {
    if (index === last) return first
    const place = last === 1 ? 'pair' : index === last - 1 ? 'last' : 'earlier'
    return say(join, { first, rest, place })
  }, '')
}
