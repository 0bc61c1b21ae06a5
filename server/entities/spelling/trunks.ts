// Countries where the national number is dialled otherwise than with 0 before it.

interface Dialling {
  readonly code: string
  /** Prefixes of the national number within the country, beside 0. */
  readonly trunks: readonly string[]
  /** Possible lengths of the national number, without the mark. */
  readonly lengths: readonly number[]
  /** Digit of mobile numbers between code and number, which may be missing. */
  readonly mark?: string
}

const countries: readonly Dialling[] = [
  { code: '7', trunks: ['8'], lengths: [10] },
  { code: '36', trunks: ['06'], lengths: [8, 9] },
  { code: '52', trunks: ['01', '044', '045'], lengths: [10], mark: '1' },
  { code: '54', trunks: [], lengths: [10], mark: '9' },
  { code: '370', trunks: ['8'], lengths: [8] },
  { code: '375', trunks: ['80'], lengths: [9] },
  { code: '992', trunks: ['8'], lengths: [9] },
  { code: '993', trunks: ['8'], lengths: [8] },
  { code: '998', trunks: ['8'], lengths: [9] },
]

/** Prefixes of international calls, other than 00, from North America, Australia, Japan and Russia. */
const otherExits = /^(?:011|0011|010|810)(?=[1-9]\d{9})/

/** Returns the prefixes with which a national number is written. */
export const trunksOf = (code: string): readonly string[] => [
  '0',
  ...(countries.find((country) => country.code === code)?.trunks ?? []),
]

/** Returns a number within a country without the 0 before it, with and without the mark of mobile numbers. */
export function nationalsOf(code: string, digits: string): readonly string[] {
  const national = digits.replace(/^0+/, '')
  const { mark = '', lengths = [] } = countries.find((country) => country.code === code) ?? {}
  if (mark === '') return [national]
  const bare = national.startsWith(mark) ? national.slice(1) : national
  return lengths.includes(bare.length) ? [bare, mark + bare] : [national]
}

/** Returns a number that is dialled within a country, or to another one, as the numbers with code that it may be. */
export function withCodes(digits: string): readonly string[] {
  const exit = otherExits.exec(digits)?.[0]
  if (exit !== undefined) return [digits.slice(exit.length)]
  return countries.flatMap(({ code, trunks, lengths }) =>
    trunks
      .filter((trunk) => digits.startsWith(trunk) && lengths.includes(digits.length - trunk.length))
      .flatMap((trunk) => nationalsOf(code, digits.slice(trunk.length)).map((national) => code + national)),
  )
}
