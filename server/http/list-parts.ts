/** Some entries of a list. `next`: after which one those that follow begin; absent: there are none. */
interface Part<Entry> {
  readonly entries: readonly Entry[]
  readonly next?: string | undefined
}

type ListAnswer<Entry> =
  | { readonly status: 200; readonly body: Entry[] }
  | { readonly status: 200; readonly list: AsyncIterable<Entry[]> }

/**
 * The answer of a list that may be long, read some entries at a time: each part when the one before it is on its way, and
 * with nothing held in between, so that whoever reads slowly keeps nobody waiting. A list of one part is answered as of
 * one moment. `undefined`: there is no such list; one that ends to be there has no further entries.
 */
export async function inParts<Entry>(
  read: (after?: string) => Promise<Part<Entry> | undefined>,
): Promise<ListAnswer<Entry> | undefined> {
  const first = await read()
  if (!first) return undefined
  if (first.next === undefined) return { status: 200, body: [...first.entries] }
  return { status: 200, list: partsFrom(first, read) }
}

async function* partsFrom<Entry>(
  first: Part<Entry>,
  read: (after: string) => Promise<Part<Entry> | undefined>,
): AsyncGenerator<Entry[]> {
  for (let part: Part<Entry> | undefined = first; part;) {
    yield [...part.entries]
    part = part.next === undefined ? undefined : await read(part.next)
  }
}
