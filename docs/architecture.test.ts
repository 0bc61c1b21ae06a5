// Checks the rules of docs/architecture.md: which folder may import which, counting types and lazy imports. Also checks
// that every comment and test title names its subject.
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '..')
const isTest = (file: string) =>
  /\.(test|e2e)\.tsx?$|\btest(ing)?-|\btesting\b|^(e2e|bench)\/|^server\/fuzzing\/|finalising-run/.test(file)

const sources = globSync('{contract,server,src,e2e,bench}/**/*.{ts,tsx}', { cwd: root })
const imports = new Map(
  sources.map((file) => {
    const text = readFileSync(path.join(root, file), 'utf8')
    const found = text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'((?:\.\.?\/|#)[^']+)'/g)
    const targets = [...found].map(([, target = '']) =>
      target.startsWith('#') ? target.slice(1) : path.join(path.dirname(file), target),
    )
    return [file, targets.filter((target) => /\.tsx?$/.test(target))] as const
  }),
)

/** Folders of each side, from bottom to top. A folder may import itself and those listed before it. */
const orders = [
  ['contract', 'src/messages', 'src/api', 'src/auth', 'src/ui', 'src/domain', 'src/features', 'src/app', 'src/main.tsx', 'src/boot'],
  [
    'contract',
    'server/store',
    'server/http',
    'server/sealing',
    'server/events',
    'server/changesets',
    'server/audit',
    'server/definitions',
    'server/entities',
    'server/users',
    'server/segments',
    'server/dictionary',
    'server/webhooks',
    'server/erasures',
    'server/jobs',
    'server/imports',
    'server/api',
  ],
]
const within = (file: string, room: string) => file === room || file.startsWith(`${room}/`)

const product = [...imports].filter(([file]) => !isTest(file))
const edges = product.flatMap(([file, targets]) => targets.map((target) => ({ file, target })))

test('a room knows those below it, and none above', () => {
  const broken = edges.filter(({ file, target }) =>
    orders.some((order) => {
      const from = order.findIndex((room) => within(file, room))
      const to = order.findIndex((room) => within(target, room))
      return from !== -1 && to > from
    }),
  )
  expect(inWords(broken)).toEqual([])
})

test('the contract imports zod alone, and neither side knows the other', () => {
  const side = (file: string) => file.split('/')[0]
  const broken = edges.filter(({ file, target }) => side(file) !== side(target) && side(target) !== 'contract')
  expect(inWords(broken)).toEqual([])
})

test('a feature uses nothing of another feature', () => {
  const feature = (file: string) => /^src\/features\/([^/]+)/.exec(file)?.[1]
  const broken = edges.filter(
    ({ file, target }) => feature(file) && feature(target) && feature(file) !== feature(target),
  )
  expect(inWords(broken)).toEqual([])
})

test('cached answers are reached by the verbs of src/api alone: no feature writes a query key', () => {
  const rooms = ['src/api', 'src/domain/queries']
  const raw =
    /\bqueryKey\b|\.(?:set|get)(?:Query|Queries)(?:Data|State|Defaults)\b|\.(?:invalidate|remove|cancel|refetch|reset)Queries\b|\.get(?:Query|Mutation)Cache\b/
  const broken = product
    .map(([file]) => file)
    .filter((file) => within(file, 'src') && !rooms.some((room) => within(file, room)))
    .filter((file) => raw.test(readFileSync(path.join(root, file), 'utf8')))
  expect(broken).toEqual([])
})

test('files that CONTRIBUTING shows as models are there', () => {
  const guide = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8')
  const named = [...guide.matchAll(/`((?:src|server|contract|e2e|docs)\/[\w/.-]+\.\w+)`/g)].map(([, file = '']) => file)
  expect(named.length).toBeGreaterThan(16)
  expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
})

test('no machine decides which values are valid: lists of Intl are for offering time zones alone', () => {
  const asking = product
    .map(([file]) => file)
    .filter((file) => /supportedValuesOf\((?!'timeZone')/.test(readFileSync(path.join(root, file), 'utf8')))
  expect(asking).toEqual([])
})

test('only tests, journeys and benchmarks import what is for tests', () => {
  expect(inWords(edges.filter(({ target }) => isTest(target)))).toEqual([])
})

test('no file reaches itself through its imports', () => {
  expect(rings(new Map(product))).toEqual([])
})

test('no folder reaches itself through another one', () => {
  const folders = new Map<string, string[]>()
  for (const { file, target } of edges) {
    const [from, to] = [path.dirname(file), path.dirname(target)]
    if (from !== to && !isInside(from, to) && !isInside(to, from)) folders.set(from, [...(folders.get(from) ?? []), to])
  }
  expect(rings(folders)).toEqual([])
})

test('a folder and a folder within it import each other one way', () => {
  const pairs = edges.map(({ file, target }) => [path.dirname(file), path.dirname(target)] as const)
  const down = new Set(pairs.map(([from, to]) => `${from} ${to}`))
  const found = pairs.filter(([from, to]) => isInside(from, to) && down.has(`${to} ${from}`))
  expect([...new Set(found.map(([from, to]) => `${to} ${from}`))]).toEqual([])
})

/** Names to which the glossary assigns one meaning, and words that every module may define for itself. */
const glossary = new Set(['main'])
/** Home-grown words for which established terms exist. */
const ownWords = /^(?:told|arrive|breathe|judge|unrecorded|denials|standing|spread|wishes|anew|ahead|undone|addedRow)$|Told$|^told[A-Z]/

test('a name is at the top of two files at most, and is a word of the field', () => {
  const homes = new Map<string, Set<string>>()
  for (const [file] of product) {
    // A migration freezes the names that it defines.
    if (within(file, 'src/messages') || within(file, 'server/store/migrations')) continue
    const side = within(file, 'src') ? 'console' : 'service'
    for (const [, name = ''] of readFileSync(path.join(root, file), 'utf8').matchAll(topLevel)) {
      const key = `${side}: ${name}`
      homes.set(key, (homes.get(key) ?? new Set()).add(file))
    }
  }
  const shared = [...homes].filter(([key, files]) => files.size > 2 && !glossary.has(key.replace(/.*: /, '')))
  expect(shared.map(([key, files]) => `${key} ${[...files].join(' ')}`)).toEqual([])
  expect([...homes.keys()].filter((key) => ownWords.test(key.replace(/.*: /, '')))).toEqual([])
})
const topLevel =
  /^(?:export )?(?:default )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm

/** Folders that are allowed to be large, each for the reason given beside it. */
const largeFolders = new Set([
  // Holds one catalogue per feature, or one migration per change.
  'src/messages/en',
  'server/store/migrations',
  // One file a subject, whose names the endpoint table has.
  'contract',
  // Small components with few dependencies on each other.
  'src/ui',
  // To be restructured soon.
  'src/features/entities',
])

test('a folder holds at most 30 files, besides its tests', () => {
  const counts = new Map<string, number>()
  for (const file of globSync('{contract,server,src}/**/*.{ts,tsx,css,sql}', { cwd: root }))
    if (!isTest(file)) counts.set(path.dirname(file), (counts.get(path.dirname(file)) ?? 0) + 1)
  expect([...counts].filter(([folder, count]) => count > 30 && !largeFolders.has(folder))).toEqual([])
})

/** Folders whose comments and test titles are checked. */
const named = ['contract', 'server', 'src', 'bench', 'e2e']
/** First words that leave out the subject: "What it sends", "Of a user", "The same for entities". */
const openings = 'what|of|where|as|who|whoever|whose|those|nothing|it|the same'
const withoutSubject = [
  String.raw`\/\*\*?\s+(?:\*\s+)?(?:${openings})\b`,
  // Matches only the first line of a multi-line comment.
  String.raw`(?<!^[ \t]*\/\/[^\n]*\n[ \t]*)\/\/[ \t]+(?:${openings})\b`,
  String.raw`(?:\b(?:test|it|describe)(?:\.\w+)*|\))\(\s*['"\`](?:${openings})\b`,
].map((pattern) => new RegExp(pattern, 'gim'))

test.each([
  ['/** What a client sends. */', true],
  ['/**\n * Of one user.\n */', true],
  ['  // The same on an entity.', true],
  ['const goal = 1 // It is met.', true],
  ["test('who may only read sees no pencil', () => {", true],
  ["test.runIf(isRoot)('as root', () => {", true],
  ['test.each(rows)(\n  `of %s`,\n', true],
  ['/** Body as a client sends it. */', false],
  ['// The end of a line may be\n// What one likes.', false],
  ['// Itself, asked for once.', false],
  ["test('a person sees no pencil', () => {", false],
  ["fetch('https://example.org/what')", false],
])('a comment or title without a subject is told from one that has it: %j', (text, isFound) => {
  expect(openingsWithoutSubject(text).length > 0).toBe(isFound)
})

test('comments and titles of tests begin with their subject', () => {
  const found = sources
    .filter((file) => named.some((folder) => within(file, folder)))
    // A migration that has run somewhere must stay unchanged, comments included.
    .filter((file) => !within(file, 'server/store/migrations'))
    .flatMap((file) =>
      openingsWithoutSubject(readFileSync(path.join(root, file), 'utf8'))
        .map(({ line, text }) => `${file}:${line} ${text}`),
    )
  expect(found).toEqual([])
})

function openingsWithoutSubject(source: string): { line: number; text: string }[] {
  return withoutSubject.flatMap((pattern) =>
    [...source.matchAll(pattern)].map(({ 0: match, index }) => {
      // The line of the text itself, which may come after the line that opens the comment or the call.
      const line = source.slice(0, index + match.length).split('\n').length
      return { line, text: source.split('\n')[line - 1]?.trim() ?? '' }
    }),
  )
}

/** Whether `folder` is inside `other`; nested folders count as one in the search for cycles. */
const isInside = (folder: string, other: string) => folder.startsWith(`${other}/`)

function inWords(broken: readonly { file: string; target: string }[]): string[] {
  return broken.map(({ file, target }) => `${file} imports ${target}`).toSorted()
}

/** Returns the groups of two or more nodes that can all reach each other (Tarjan's strongly connected components). */
function rings(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const found: string[][] = []
  const visit = (node: string) => {
    index.set(node, index.size)
    low.set(node, index.size - 1)
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) visit(next)
      if (stack.includes(next)) low.set(node, Math.min(low.get(node) ?? 0, low.get(next) ?? 0))
    }
    if (low.get(node) !== index.get(node)) return
    const ring = stack.splice(stack.indexOf(node))
    if (ring.length > 1) found.push(ring.toSorted())
  }
  for (const node of graph.keys()) if (!index.has(node)) visit(node)
  return found
}

test('a window is a phone up to 640 pixels, a tablet up to 900, and has room for two panes from 1,101 on', () => {
  // These two style sheets are exempt: the number of pins in a line depends on the window, and whether a table scrolls
  // sideways depends on what is beside it.
  const counted = new Set([
    'src/features/users-list/PinnedUsers.module.css',
    'src/features/users-list/UsersPage.module.css',
  ])
  const odd = globSync('src/**/*.css', { cwd: root })
    .filter((file) => !counted.has(file))
    .flatMap((file) => {
      const queries = readFileSync(path.join(root, file), 'utf8').matchAll(/@media[^{]*?(min|max)-width: (\d+)px[^{]*/g)
      return [...queries].flatMap(([query]) =>
        [...query.matchAll(/(min|max)-width: (\d+)px/g)]
          .filter(([, bound, width]) => ![640, 900, 1100].includes(Number(width) - (bound === 'min' ? 1 : 0)))
          .map(([found]) => `${file}: ${found}`),
      )
    })
  expect(odd).toEqual([])
})

test('a key typed searches no page: on screen, no style of the root depends on what is somewhere within it', () => {
  const searching = globSync('src/**/*.css', { cwd: root }).filter((file) => {
    const onScreen = readFileSync(path.join(root, file), 'utf8').replaceAll(/^@media print \{[^]*?^\}/gm, '')
    return /(?<![.\w-])(?:html|body|:root|#main)\)?(?:\[[^\]]*\])*:has\(/.test(onScreen)
  })
  expect(searching).toEqual([])
})

test('a style sheet has no class that nothing uses', () => {
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
  const sheets = globSync('src/**/*.module.css', { cwd: root })
  const composed = sheets.map((sheet) => [...read(sheet).matchAll(/composes:[^;]+/g)].join(' ')).join(' ')
  const pages = product.filter(([file]) => file.endsWith('.tsx')).map(([file]) => read(file))
  const unused = sheets.flatMap((sheet) => {
    const selectors = read(sheet).replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/\{[^{}]*\}/g, '{}')
    const names = new Set([...selectors.matchAll(/\.((?!mantine-)[a-z]\w*)/gi)].map(([, name = '']) => name))
    const using = pages.filter((page) => page.includes(`/${path.basename(sheet)}'`)).join('\n')
    const isUsed = (name: string) => new RegExp(`\\.${name}\\b`).test(using) || new RegExp(`\\b${name}\\b`).test(composed)
    return [...names].filter((name) => !isUsed(name)).map((name) => `${sheet}: ${name}`)
  })
  expect(sheets).not.toEqual([])
  expect(unused).toEqual([])
})

test('a catalogue holds texts and no code', () => {
  const catalogues = globSync('src/messages/en/*.ts', { cwd: root })
  const withCode = catalogues.filter((file) => {
    const source = readFileSync(path.join(root, file), 'utf8').replaceAll(/\/\*\*[^]*?\*\/|\/\/.*/g, '')
    const imported = [...source.matchAll(/^import (?!type )[^']*'([^']+)'/gm)].map(([, from]) => from)
    return /=>|`|\bfunction\b/.test(source) || imported.some((from) => from !== '../language/message.ts')
  })
  expect(catalogues).not.toEqual([])
  expect(withCode).toEqual([])
})

// Texts between tags are found by the linter (react/jsx-no-literals).
test('a text that people read in an attribute comes from a catalogue', () => {
  const pages = globSync('src/**/*.tsx', { cwd: root }).filter((file) => !/test/.test(file))
  const texts = pages.flatMap((file) => {
    const source = readFileSync(path.join(root, file), 'utf8')
    const read =
      /\b(?:aria-label|alt|description|error|hint|label|placeholder|title)=(?:"|\{['`])[^"'`{}]*\p{L}{2}[^"'`{}]*["'`](?! in )/gu
    return [...source.matchAll(read)].map(([text]) => `${file}: ${text}`)
  })
  expect(pages).not.toEqual([])
  expect(texts).toEqual([])
})
