// For page tests in the pseudo-locale: its texts are read as the eye reads them, without the spaces that make them longer.
import { figureSpace, isPseudo } from './messages/pseudo.ts'

const read = <Value>(value: Value) => (typeof value === 'string' ? value.replaceAll(figureSpace, '') : value)

/** Lets a property or method of the DOM give its text without those spaces. */
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
