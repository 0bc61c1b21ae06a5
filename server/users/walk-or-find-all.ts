/** Maximum number of users tested one by one, 2 to 5 µs each, before all matches are found and sorted. */
const longestWalk = 20_000
/** Number of users tested before the chances of a longer walk can be judged. */
const firstWalk = 1000

/**
 * Returns a page of users who meet a condition. Whether few or many match is unknown beforehand (PostgreSQL keeps a
 * sample of a hundred values), and each case needs the opposite plan. So users are tested one by one as long as that
 * promises to fill the page. For half a million matches in a million, or 40,000 by a range that no index covers, this
 * takes 5 to 15 ms instead of 700; a set of 200 that the index finds takes 3 ms longer.
 */
export async function walkOrFindAll<Page extends { readonly count: number; readonly more: boolean }>(
  atMost: number,
  walkAlong: (walk: number) => Promise<Page & { readonly walked: number }>,
  findAll: () => Promise<Page>,
): Promise<Page> {
  let walk = firstWalk
  for (;;) {
    const page = await walkAlong(walk)
    if (page.more || page.walked < walk) return page
    const needed = Math.ceil((1.5 * walk * (atMost + 1)) / page.count)
    if (walk > firstWalk || needed > longestWalk) return await findAll()
    walk = needed
  }
}
