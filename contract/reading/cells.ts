import { type UserColumn, type WhichEntities, whichEntities } from '../export.ts'
import { type PropertyValue, readValue } from '../property-value.ts'
import { unknownEmail, unknownName } from '../user.ts'
import { endedMark } from './parts.ts'
import { preferencePhase } from './preference-phase.ts'
import { storedText } from './written.ts'

// Table representation of users and their properties, which the export writes and the import reads.

/** Returns a field as text; empty for a text that stands in for a missing name or e-mail. */
export function userCell(
  user: { readonly [Column in UserColumn]?: string | boolean | null | undefined },
  column: UserColumn,
): string {
  const value = user[column]
  if (column === 'name' && value === unknownName) return ''
  if (column === 'email' && value === unknownEmail) return ''
  return String(value ?? '')
}

/**
 * Returns a value as one text, such as `12.50 EUR` or `GRANTED 2024-03-01T00:00:00.000Z`; empty without a value. The
 * text of an expired preference says so, because a reader of the file would otherwise have to compare its dates.
 */
export function valueCell(
  { type, value }: { readonly type: string; readonly value?: unknown },
  nowMs = Date.now(),
): string {
  const text = storedText(type, value)
  if (type !== 'PREFERENCE' || text === '' || readValue(type, value).issues) return text
  return preferencePhase(value as PropertyValue['PREFERENCE'], nowMs) === 'ended'
    ? `${text} ${endedMark}`
    : text
}

/** Column of a property, as described by its header. */
interface PropertyHeader {
  /** Type of the entity. */
  readonly entity: string
  /** Choice of entities; undefined if the header names none. */
  readonly which?: WhichEntities | undefined
  readonly key: string
  /** `perhaps`: only the values tell whether they are sensitive, and they are read after the header is written. */
  readonly sensitive: boolean | 'perhaps'
  /** Whether sensitive values are left out. */
  readonly withheld: boolean
}

const marks = {
  sensitive: { sensitive: true, withheld: false },
  'sensitive, withheld': { sensitive: true, withheld: true },
  'may be sensitive': { sensitive: 'perhaps', withheld: false },
  'withheld where sensitive': { sensitive: 'perhaps', withheld: true },
} as const satisfies Record<string, Pick<PropertyHeader, 'sensitive' | 'withheld'>>

/** Returns the header of a property's column: `person.iban (each, sensitive, withheld)`. */
export const propertyHeader = (header: PropertyHeader): string =>
  `${header.entity}.${header.key}${headerMarks(header)}`

/** Returns what a header says beside the property: ` (each, sensitive, withheld)`; empty if there is nothing to say. */
export function headerMarks({ which, sensitive, withheld }: PropertyHeader): string {
  const mark =
    sensitive === false
      ? undefined
      : Object.entries(marks).find(
          ([, meant]) => meant.sensitive === sensitive && meant.withheld === withheld,
        )?.[0]
  const said = [which, mark].filter((part) => part !== undefined)
  return said.length === 0 ? '' : ` (${said.join(', ')})`
}

const saidWhich = whichEntities.join('|')
const saidMark = Object.keys(marks).join('|')
const headerRule = new RegExp(
  `^([a-z][a-z0-9_-]{0,63})\\.(.+?)(?: \\((?:(${saidWhich})|(?:(${saidWhich}), )?(${saidMark}))\\))?$`,
  'su',
)

/** Inverse of `propertyHeader`; returns undefined if the column is not a property. */
export function readPropertyHeader(header: string): PropertyHeader | undefined {
  const [, entity, key, alone, which = alone, mark] = headerRule.exec(header) ?? []
  if (entity === undefined || key === undefined) return undefined
  return {
    entity,
    key,
    ...(which !== undefined && { which: which as WhichEntities }),
    ...(mark === undefined ? { sensitive: false, withheld: false } : marks[mark as keyof typeof marks]),
  }
}
