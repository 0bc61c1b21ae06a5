import { textOf } from '../../../domain/definitions/definitions.ts'
import { describeRetention } from '../../../domain/definitions/retention.ts'
import { dataTypeName } from '../../../domain/values/data-type-name.ts'
import { definitionText } from '../../../messages/index.ts'
import { listNames } from '../../../messages/listed.ts'
import { type DefinitionContent, type DefinitionField, filledChoices } from './content.ts'

/** Returns the display name of a legal basis; an unknown one keeps its code. */
export function basisName(basis: string): string {
  return (definitionText.bases as Readonly<Record<string, string>>)[basis] ?? basis
}

/** Returns the display name of an icon; an unknown one keeps its code. */
export function iconName(icon: string): string {
  return (definitionText.icons as Readonly<Record<string, string>>)[icon] ?? icon
}

/** Parts of a duration in one unit, as in `P10Y`; undefined if it has several. */
export function readDuration(text: string) {
  const [, amount, unit] = /^P(\d+)([YMWD])$/.exec(text) ?? []
  return amount === undefined ? undefined : { amount, unit: unit as keyof typeof definitionText.time }
}

/** Returns the value of a field as a sentence has it; empty if there is none. */
export function showField(content: DefinitionContent, name: DefinitionField): string {
  switch (name) {
    case 'label':
    case 'plural':
    case 'description':
      return filled(content[name])
    case 'type':
      return content.type === '' ? '' : dataTypeName(content.type)
    case 'sensitive':
      return content.sensitive === ''
        ? ''
        : definitionText.sensitive[content.sensitive === 'true' ? 'true' : 'false']
    case 'choices':
      return listNames(
        filledChoices(content.choices).map(({ value, label, labels }) => {
          const said = label === '' ? textOf(labels) : label
          return said === undefined ? value : `${said} (${value})`
        }),
      )
    case 'keyFact':
      return content.keyFact ? definitionText.yes : ''
    case 'basis':
      return content.basis === '' ? '' : basisName(content.basis)
    case 'icon':
      return content.icon === '' ? '' : iconName(content.icon)
    case 'keptFor':
      return describeRetention(content.keptFor)
    case 'unit':
    case 'group':
    case 'order':
    case 'title':
    case 'purpose':
    case 'recipients':
      return content[name]
  }
}

function filled(texts: Readonly<Record<string, string>>): string {
  return Object.values(texts)
    .filter((text) => text !== '')
    .join(' · ')
}
