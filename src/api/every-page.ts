import { segmentsPerPage } from '#contract/index.ts'
import { isFull } from './connection.ts'

/** Reads all pages of a list with id offsets, such as the list of segments. `read` returns the entries after an id. */
export async function everyPage<Entry extends { readonly id: string }>(
  read: (query: { offset?: string | undefined }) => Promise<Entry[]>,
): Promise<Entry[]> {
  const all = await read({})
  if (!isFull()) return all
  for (let page = all; page.length === segmentsPerPage;) {
    page = await read({ offset: page.at(-1)?.id })
    all.push(...page)
  }
  return all
}
