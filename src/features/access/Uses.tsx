import { nameProperty, type NamedProperty, type PropertyUse } from '../../domain/definitions/definitions.ts'
import { describeRetention } from '../../domain/definitions/retention.ts'
import type { SubjectAccess } from '../../domain/subject-access/document.ts'
import { accessText } from '../../messages/index.ts'
import { SheetRow, SheetRows } from '../../ui/Sheet.tsx'
import classes from './AccessSheet.module.css'

/** Defined properties of a document, by entity type and key. */
export type DocumentProperties = ReadonlyMap<string, ReadonlyMap<string, NamedProperty>>

export function nameProperties({ definitions }: SubjectAccess): DocumentProperties {
  return new Map(
    definitions?.map(({ type, properties }) => [
      type,
      new Map(properties.map(nameProperty).map((property) => [property.name, property])),
    ]),
  )
}

const isUsed = ({ use }: NamedProperty) => Object.values(use).some((part) => part !== undefined)

/** Whether anybody has defined what a property is used for. */
export const hasUse = (properties: DocumentProperties) =>
  [...properties.values()].some((ofType) => [...ofType.values()].some(isUsed))

interface UsesProps {
  readonly properties: DocumentProperties
  /** Returns the name under which the document has a property. */
  readonly nameOf: (type: string, key: string) => string
}

/** Lists what properties are used for. Those that are used alike are one row. */
export function Uses({ properties, nameOf }: UsesProps) {
  const used = [...properties].flatMap(([type, ofType]) =>
    [...ofType.values()]
      .filter(isUsed)
      .map(({ name, use }) => ({ shown: nameOf(type, name), use, alike: JSON.stringify(use) })),
  )
  return (
    <SheetRows>
      {[...Map.groupBy(used, ({ alike }) => alike)].map(([alike, [first, ...others]]) => (
        <SheetRow key={alike} name={[first, ...others].map((each) => each?.shown).join(', ')}>
          {first && <Use use={first.use} />}
        </SheetRow>
      ))}
    </SheetRows>
  )
}

function Use({ use: { purpose, basis, recipients, keptFor } }: { readonly use: PropertyUse }) {
  const terms = [
    basis !== undefined && basisInWords(basis),
    recipients !== undefined && accessText.use.recipients({ recipients }),
    keptFor !== undefined && accessText.use.keptFor({ period: describeRetention(keptFor) }),
  ].filter((term) => term !== false)
  return (
    <>
      {purpose !== undefined && <div>{purpose}</div>}
      {terms.length > 0 && <div className={classes.aside}>{terms.join(' · ')}</div>}
    </>
  )
}

/** Returns a legal basis in a sentence to the data subject; one that another release knows keeps its code. */
const basisInWords = (basis: string) =>
  (accessText.use.bases as Readonly<Record<string, string>>)[basis] ?? basis
