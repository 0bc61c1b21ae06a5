import { segmentsPerPage } from '#contract/index.ts'

import { isFull } from './connection.ts'

/** All of a list that comes in pages as that of the segments does: `read` answers what follows an id. */
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
