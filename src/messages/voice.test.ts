import { IntlMessageFormat } from 'intl-messageformat'
import { expect, test, vi } from 'vitest'

// Catalogues as they are written: compiled, a message no longer shows its words.
vi.mock('./language/message.ts', () => ({ defineMessages: (catalogue: object) => catalogue }))
const catalogues = await import('./index.ts')

type Element = ReturnType<IntlMessageFormat['getAst']>[number]

/** `TYPE.literal` of FormatJS's parser, which intl-messageformat does not export. */
const literal = 0

/** Returns what a message can say, with `{}` for each part. */
function sayings(elements: readonly Element[]): string[] {
  return elements.reduce<string[]>(
    (begun, element) => {
      const { type }: { type: number } = element
      const next =
        'options' in element
          ? Object.values(element.options).flatMap(({ value }) => sayings(value))
          : [type === literal && 'value' in element ? element.value : '{}']
      return begun.flatMap((start) => next.map((end) => start + end))
    },
    [''],
  )
}

interface Text {
  /** Place in the catalogues: "jobsText.states.ready". */
  readonly path: string
  readonly text: string
}

function textsOf(entry: unknown, path: string): Text[] {
  if (typeof entry === 'string')
    return sayings(new IntlMessageFormat(entry, 'en', undefined, { ignoreTag: true }).getAst()).map(
      (text) => ({ path, text }),
    )
  if (typeof entry !== 'object' || entry === null) return []
  return Object.entries(entry).flatMap(([key, each]: [string, unknown]) => textsOf(each, `${path}.${key}`))
}

const texts = Object.entries(catalogues)
  .flatMap(([name, entry]: [string, unknown]) => (name.endsWith('Text') ? textsOf(entry, name) : []))
  // Words by which people find an action are read by nobody.
  .filter(({ path }) => !/\.words(?:\.|$)/.test(path))

/** The sentence of a filter and its parts: the grammar of "users whose name is not …". */
const isGrammar = (path: string) => /^filter(?:Sentence|Builder)Text\./.test(path)

const refuse = (isWrong: (text: string, path: string) => boolean) =>
  expect(
    texts.filter(({ text, path }) => isWrong(text, path)).map(({ text, path }) => `${path}: ${text}`),
  ).toEqual([])

test('texts are those of all catalogues', () => {
  expect(texts.length).toBeGreaterThan(3000)
})

test.each([
  ['a plea, an apology or a cheer', /!|\b(?:please|sorry|oops|kindly|simply|successful(?:ly)?)\b/i],
  ['straight quotes or three full stops', /['"]|\.\.\./],
  ['two blanks, or a blank at an end', /\s{2}|^ | $/],
  ['a plural in brackets or an alternative with a slash', /\(s\)|and\/or/i],
  [
    'a stored code or a raw key',
    /\b(?!OIDC_SCOPE)(?:[a-z]+_[a-z_]+|[A-Z]+_[A-Z_]+|GRANTED|DENIED|REVOKED|person entity)\b/,
  ],
  [
    'a word that colleagues don’t use among themselves',
    /\b(?:stands?|goes on|anew|lately|meanwhile|in the meantime|all the same|at hand|whoever|till|via|upon|thus|hence|in order to|utilise)\b/i,
  ],
  ['another word for delete, restore, attempt or a bulk change', /\b(?:eras\w+|put back|tries|batch)\b/i],
  ['another word for a property', /\battributes?\b|\b(?:add|user|with) details\b/i],
  [
    'an American or a second spelling',
    /\b(?!size|resize|prize)\w+iz(?:e[ds]?|ing|ation)\b|\bcolor|\bgray\b|\bemails?\b/i,
  ],
  ['signing in by another name', /\blog(?:ged)? ?(?:in|out|on)\b(?! the)|\blogin\b/i],
  ['a subject “it” without a noun before', /^It(?:’s)?\b/],
  ['a time “now” of what has been', /^now$|\b(?:[Cc]ounted|[Dd]eleted|[Cc]hanged) now\b/],
  ['a title that names no thing', /^(?:warning|attention|error|confirm(?:ation)?|are you sure)\b/i],
  ['a button that names no act', /^(?:ok(?:ay)?|submit|done|click here)\.?$/i],
])('no text has %s', (_, words) => {
  refuse((text) => words.test(text))
})

test('a user is a user, not a person, a customer or a member', () => {
  // Person is an entity type.
  refuse(
    (text, path) =>
      !path.startsWith('filterSentenceText.nouns.') &&
      /\b(?:persons?|people|customers?|members?)\b/.test(text.replace(/^e\.g\. .*/, '')),
  )
})

test('texts contract “not”, as one speaks', () => {
  refuse(
    (text, path) =>
      !isGrammar(path) &&
      /\b(?:is|are|was|were|do|does|did|has|have|could|would) not\b|\bcan ?not\b/.test(text),
  )
})

test('two sentences end in a full stop, and a colon ends only what introduces something', () => {
  refuse((text) => /[.?] [“{]?[A-Z]/.test(text.replace('e.g.', '')) && !/[.?…:)}]$/.test(text))
  refuse((text, path) => text.endsWith(':') && text.split(' ').length < 3 && !path.endsWith('Before'))
})

test('no sentence takes a second breath', () => {
  refuse((text) => text.split(/[.?:] /).some((sentence) => sentence.split(' ').length > 28))
})

test('examples in fields begin with e.g., those in sentences with “such as” or “for example”', () => {
  refuse((text) => text.includes('e.g.') && !text.startsWith('e.g. '))
})

test('capitals begin texts, sentences and names', () => {
  /** Names that others have given, and abbreviations that are said like words. */
  const names =
    /^(?:Data|Store|Excel|JSON|CSV|UTF|UTC|API|IBAN|HTTPS|POST|Lines|Node|Unicode|Windows|JIS|GB|Western|European|Standard|Ctrl|Shift|Enter|Esc|Space|A|Person|ID|OIDC_SCOPE|Gone|I|I’ve|Mar)$/
  // Pages and choices are called as their own texts are.
  const called = new Set(texts.map(({ text }) => text).filter((text) => /^[A-Z]\w+( \w+)?$/.test(text)))
  refuse((text) =>
    text
      .replaceAll(/“[^”]*”|\([A-Z]\w+(?: \w+)?\)/g, '')
      .split(/(?<=[.?:·…→] )|\{\}\.? /)
      .some((sentence) =>
        sentence
          .trim()
          .split(/[ /-]/)
          .slice(1)
          .some((word) => {
            const bare = word.replaceAll(/[^\w’]/g, '')
            return /^[A-Z]/.test(bare) && !names.test(bare) && !called.has(bare) && !called.has(`${bare} log`)
          }),
      ),
  )
})
