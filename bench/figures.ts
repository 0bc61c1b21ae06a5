const begin = '<!-- Written by `npm run bench -- --record`. -->'
const end = '<!-- Up to here. -->'

/**
 * Returns the README with the output of one benchmark stored in its section, replacing its previous output. The
 * sections of other benchmarks stay unchanged.
 */
export function keepFigures(page: string, name: string, place: string, said: string): string {
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from === -1 || to < from) throw new Error(`README.md lacks "${begin}" or "${end}" behind it.`)
  const sections = page.slice(from + begin.length, to).split(/^(?=### \S+\n\n.+\n\n```text$)/m)
  const others = sections
    .map((each) => each.trim())
    .filter((each) => each !== '' && !each.startsWith(`### ${name}\n`))
  const fence = '```'
  const own = `### ${name}\n\n${place}.\n\n${fence}text\n${said.trim()}\n${fence}`
  const all = [...others, own].toSorted()
  return `${page.slice(0, from)}${begin}\n\n${all.join('\n\n')}\n\n${page.slice(to)}`
}
