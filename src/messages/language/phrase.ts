/** Text that is offered all parts that any language may need; each language uses those that its grammar requires. */
export type Phrase<Offered> = string | ((parts: Offered) => string)

export function say<Offered>(phrase: Phrase<Offered>, offered: Offered): string {
  return typeof phrase === 'string' ? phrase : phrase(offered)
}

/** Two pieces of a list to be joined. */
export interface ListParts {
  readonly first: string
  /** Pieces after the first one, joined already. */
  readonly rest: string
  /** Position of the two pieces: the only two of the list, its last two, or two with others after them. */
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
