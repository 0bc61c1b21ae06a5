import type { CheckedAnswer } from './checks.ts'

export type Pick = <Item>(items: readonly Item[]) => Item | undefined

/**
 * Ids and tags from earlier answers, so that requests find something. Keeps the latest ones, because older ones may be
 * deleted.
 */
export class KnownIds {
  readonly #paths: readonly string[]
  readonly #names: ReadonlySet<string>
  readonly #byNames = new Map<string, Record<string, string>[]>()
  readonly #etags: string[] = []
  #keys = 0

  constructor(paths: readonly string[]) {
    this.#paths = paths
    this.#names = new Set(paths.flatMap((path) => namesIn(path)))
  }

  paramsFor(path: string, pick: Pick): Record<string, string> {
    return pick(this.#byNames.get(namesIn(path).join()) ?? []) ?? {}
  }

  one(name: string, pick: Pick): string | undefined {
    if (name === 'etag') return pick(this.#etags)
    if (name === 'new') return `key-${this.#keys++}`
    return pick([...this.#byNames.values()].flat().filter((params) => name in params))?.[name]
  }

  learn(path: string, params: Record<string, string>, { headers, text }: CheckedAnswer): void {
    if (headers.etag !== undefined) keepItem(this.#etags, headers.etag)
    const location = headers.location
      ?.replace(/^.*?\/api\/user(?=\/)/, '/users')
      .replace(/^.*?\/api(?=\/)/, '')
    for (const each of location === undefined ? [] : this.#paths) {
      const match = new RegExp(`^${each.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`).exec(location ?? '')
      if (match?.groups) this.#keep({ ...match.groups })
    }
    const child = this.#paths.find(
      (each) => each.startsWith(`${path}/{`) && !each.slice(path.length + 1).includes('/'),
    )
    if (text.startsWith('{') || text.startsWith('['))
      this.#walk(JSON.parse(text), child ? { params, name: namesIn(child).at(-1) ?? '' } : undefined)
  }

  #walk(
    value: unknown,
    child: { params: Record<string, string>; name: string } | undefined,
    depth = 0,
  ): void {
    if (typeof value !== 'object' || value === null || depth > 3) return
    if (Array.isArray(value)) {
      for (const item of value.slice(-5)) this.#walk(item, child, depth + 1)
      return
    }
    const found: Record<string, string> = {}
    for (const [key, member] of Object.entries(value)) {
      if (typeof member === 'string' && this.#names.has(`${key}_id`)) found[`${key}_id`] = member
      else if (key === 'id' && typeof member === 'string' && child && depth < 3)
        this.#keep({ ...child.params, [child.name]: member })
      else this.#walk(member, depth === 0 ? child : undefined, depth + 1)
    }
    for (const [name, id] of Object.entries(found)) this.#keep({ [name]: id })
  }

  #keep(params: Record<string, string>): void {
    const names = Object.keys(params).join()
    const list = this.#byNames.get(names) ?? []
    this.#byNames.set(names, list)
    keepItem(list, params)
  }
}

const namesIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

function keepItem<Item>(list: Item[], item: Item): void {
  list.push(item)
  if (list.length > 30) list.shift()
}
