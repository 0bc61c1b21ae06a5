// Setup for page tests in the pseudo-locale: texts are read without the figure spaces that lengthen them.
import { figureSpace, isPseudo } from '../messages/language/pseudo.ts'

const read = <Value>(value: Value) => (typeof value === 'string' ? value.replaceAll(figureSpace, '') : value)

/** Patches a DOM property or method to return its text without figure spaces. */
function readAs(prototype: object, name: string) {
  const original = Object.getOwnPropertyDescriptor(prototype, name) ?? {}
  const { get, value } = original as { get?: () => unknown; value?: (...given: unknown[]) => unknown }
  Object.defineProperty(prototype, name, {
    ...original,
    ...(get && {
      get: function getText(this: unknown) {
        return read(get.call(this))
      },
    }),
    ...(value && {
      value: function getText(this: unknown, ...given: unknown[]) {
        return read(value.apply(this, given))
      },
    }),
  })
}

if (isPseudo) {
  readAs(Node.prototype, 'textContent')
  readAs(Node.prototype, 'nodeValue')
  readAs(CharacterData.prototype, 'data')
  readAs(Element.prototype, 'innerHTML')
  readAs(Element.prototype, 'getAttribute')
  readAs(Document.prototype, 'title')
}
