import { expect, test } from 'vitest'

import { keepFigures } from './figures.ts'

const page = `# Benchmarks

<!-- Written by \`npm run bench -- --record\`. -->

<!-- Up to here. -->

The end.
`

test('a benchmark that is run again takes the place of its own figures alone, in the order of the names', () => {
  const once = keepFigures(keepFigures(page, 'writers', 'there', 'two'), 'lists', 'there', 'one\n')
  const again = keepFigures(once, 'writers', 'here', '### three')
  expect(again).toBe(`# Benchmarks

<!-- Written by \`npm run bench -- --record\`. -->

### lists

there.

\`\`\`text
one
\`\`\`

### writers

here.

\`\`\`text
### three
\`\`\`

<!-- Up to here. -->

The end.
`)
  expect(keepFigures(again, 'writers', 'here', '### three')).toBe(again)
})

test('a page without the part for figures is left as it is', () => {
  expect(() => keepFigures('# Benchmarks', 'lists', 'there', 'one')).toThrow('README.md lacks')
})
