import type { Filter, PropertyTest, UserTest } from '#contract/index.ts'
import { type Candidate, passagesOf, wholeCandidates } from './marks.ts'
import type { IsErased } from './recognise.ts'

/** Stands in a text for what has been cut out of it. */
const erasedText = '(erased)'
/**
 * Operands that no user has: names and refs have no line break, no mailbox is under `.invalid` (RFC 2606), and no id is nil. They
 * keep the filter valid, and say why nobody is found.
 */
const erasedOperands = {
  text: `${erasedText}\n`,
  email: 'erased@erased.invalid',
  id: '00000000-0000-0000-0000-000000000000',
}

/** Returns a text with the identifiers of erased users replaced; `maxLength` in characters. */
export function emptyText(text: string, isErased: IsErased, maxLength: number): string {
  const cut: { readonly start: number; readonly end: number }[] = []
  for (const passage of passagesOf(text)) {
    const isCut = cut.some(({ start, end }) => passage.start < end && start < passage.end)
    if (!isCut && isErased(passage)) cut.push(passage)
  }
  if (cut.length === 0) return text
  let emptied = text
  for (const { start, end } of cut.toSorted((a, b) => b.start - a.start))
    emptied = emptied.slice(0, start) + erasedText + emptied.slice(end)
  return emptied.slice(0, maxLength)
}

/** Returns a filter whose operands that identify erased users find nobody. */
export function emptyFilter(filter: Filter, isErased: IsErased): Filter {
  const emptyAll = (parts: readonly Filter[]) => parts.map((part) => emptyFilter(part, isErased))
  if ('all' in filter) return { all: emptyAll(filter.all) }
  if ('any' in filter) return { any: emptyAll(filter.any) }
  if ('not' in filter) return { not: emptyFilter(filter.not, isErased) }
  if ('user' in filter) return emptyUserTest(filter, isErased)
  if ('entity' in filter && filter.where)
    return { ...filter, where: filter.where.map((test) => emptyPropertyTest(test, isErased)) }
  return filter
}

const textFields: ReadonlySet<string> = new Set(['email', 'name', 'ref'])

function emptyUserTest(test: UserTest, isErased: IsErased): UserTest {
  if (test.value === undefined || !textFields.has(test.user)) return test
  return { ...test, value: emptyValue(test.user === 'email' ? 'EMAIL' : 'TEXT', test.value, isErased) }
}

function emptyPropertyTest(test: PropertyTest, isErased: IsErased): PropertyTest {
  if (test.value === undefined) return test
  return { ...test, value: emptyValue(test.type, test.value, (each) => isTelling(each) && isErased(each)) }
}

/**
 * Whether a candidate identifies somebody in the value of any property. One word may be a town as well as a name, and a short
 * number anything.
 */
export function isTelling({ kind, text }: Candidate): boolean {
  if (kind === 'name')
    return /[\p{L}\p{M}\p{N}][^\p{L}\p{M}\p{N}]+[\p{L}\p{M}\p{N}]/u.test(text) || isHan(text)
  return kind !== 'ref' || (text.length >= 5 && /\p{N}/u.test(text))
}

const isHan = (text: string) => /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]{2,}$/u.test(text)

const identifyingTypes: ReadonlySet<string> = new Set(['TEXT', 'EMAIL', 'URL', 'RELATIONSHIP'])

/** Returns an operand or a value of this type without what identifies erased users. */
export function emptyValue(type: string, value: unknown, isErased: IsErased): unknown {
  if (!identifyingTypes.has(type)) return value
  if (Array.isArray(value)) return distinct(value.map((each) => emptyValue(type, each, isErased)))
  if (typeof value === 'object' && value !== null) {
    const { user } = value as { readonly user?: unknown }
    return typeof user === 'string' && isErasedText(user, isErased) ? { user: erasedOperands.id } : value
  }
  if (typeof value !== 'string') return value
  if (!isErasedText(value, isErased)) {
    // An address of the web or a longer text may hold an identifier among others.
    const isHeld = passagesOf(value).some(
      (each) => each.kind !== 'name' && each.kind !== 'ref' && isErased(each),
    )
    if (!isHeld) return value
  }
  return type === 'EMAIL' ? erasedOperands.email : type === 'URL' ? erasedUrl : erasedOperands.text
}

const erasedUrl = 'https://erased.invalid/'

const isErasedText = (text: string, isErased: IsErased) => wholeCandidates(text).some(isErased)

const distinct = (values: readonly unknown[]) => {
  const names = values.map((each) => JSON.stringify(each))
  return values.filter((_, at) => names.indexOf(names[at] ?? '') === at)
}
