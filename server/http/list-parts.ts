/** One part of a list. `next` is the cursor after which the next part begins; undefined for the last part. */
interface Part<Entry> {
  readonly entries: readonly Entry[]
  readonly next?: string | undefined
}

type ListAnswer<Entry> =
  | { readonly status: 200; readonly body: Entry[] }
  | { readonly status: 200; readonly list: AsyncIterable<Entry[]> }

/**
 * Answers a list that may be long, in parts: each part is read once the one before it is on its way, and no resource
 * is held in between, so a slow reader blocks nobody. A list that fits into one part is a consistent snapshot. Returns
 * `undefined` if the list does not exist; a list that disappears while it is read ends early.
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
