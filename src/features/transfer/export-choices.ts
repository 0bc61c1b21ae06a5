import type { ChangeEvent } from 'react'

import {
  type BodyInput,
  type Endpoints,
  type UserColumn,
  userColumns,
  type WhichEntities,
} from '#contract/index.ts'
import { headerMarks, propertyHeader } from '#contract/reading/cells.ts'
import { labelWithType } from '../../domain/labels.ts'
import { userExportText, userText } from '../../messages/index.ts'
import type { ExportedUsers } from './exported-users.ts'

export type ExportBody = BodyInput<Endpoints['createExport']>

/** Titles of columns: keys, which the import reads, or labels for people. */
export const columnTitles = ['keys', 'labels'] as const

/** Properties that become columns. */
export type KeysChosen = readonly { readonly key: string; readonly sensitive: boolean | 'perhaps' }[]

/** Options of an export, apart from which users it covers. */
interface Chosen {
  readonly kind: ExportBody['format']
  readonly separator: ',' | ';'
  readonly titles: (typeof columnTitles)[number]
  readonly byteOrderMark: boolean
  readonly fields: readonly UserColumn[]
  readonly withProperties: boolean
  /** Type of the entities whose properties become columns. */
  readonly entity: string
  readonly which: WhichEntities
  readonly keys: KeysChosen
  readonly withSensitive: boolean
  readonly reason: string
}

/** Options that the person changed; the others keep their defaults. */
export type ExportChoice = Partial<Chosen>

/** Entity types whose entities can match the source's filter. */
export interface MatchableTypes {
  readonly types: readonly string[]
  /** Reason why matching entities cannot be told from others; undefined if they can. */
  readonly denied: string | undefined
}

/** Fills in defaults, and replaces a choice that this entity type or segment does not offer. */
export function fillChoice({ types, denied }: MatchableTypes, choice: ExportChoice): Chosen {
  const { entity = types[0] ?? 'person' } = choice
  const isMatchingKnown = types.includes(entity) && denied === undefined
  const which = choice.which ?? 'matching'
  return {
    kind: 'csv',
    separator: ',',
    titles: 'keys',
    byteOrderMark: true,
    fields: userColumns,
    withProperties: false,
    keys: [],
    withSensitive: false,
    reason: '',
    ...choice,
    entity,
    which: which === 'matching' && !isMatchingKnown ? 'each' : which,
  }
}

export interface ExportPartProps {
  readonly chosen: Chosen
  readonly matchable: MatchableTypes
  readonly set: (change: ExportChoice) => void
  /** Problems to show now; none before the first attempt to submit. */
  readonly problems: ReturnType<typeof exportProblems>
}

export const isChecked = (event: ChangeEvent<HTMLInputElement>) => event.currentTarget.checked

const entityTypeRule = /^[a-z][a-z0-9_-]{0,63}$/

export function exportProblems(chosen: Chosen) {
  const { kind, fields, withProperties, entity, keys, withSensitive, reason } = chosen
  const isTable = kind !== 'ndjson'
  return {
    ...(isTable && fields.length === 0 && { columns: userExportText.noColumns }),
    ...(isTable &&
      withProperties &&
      !entityTypeRule.test(entity) && { entity: userExportText.entityInvalid }),
    ...(isTable && withProperties && keys.length === 0 && { keys: userExportText.noKeyChosen }),
    ...(withProperties && withSensitive && reason.trim() === '' && { reason: userExportText.reasonMissing }),
  }
}

/** Builds the request for an export of these users. */
export function toRequest(selection: ExportedUsers, { kind, withProperties, ...chosen }: Chosen): ExportBody {
  const { separator, byteOrderMark, titles, fields, entity, which, keys, withSensitive, reason } = chosen
  const opened = withProperties && withSensitive && ({ sensitive: 'open', reason: reason.trim() } as const)
  if (kind === 'ndjson')
    return { ...selection, format: kind, ...(withProperties && { entities: 'each' }), ...opened }
  const own = withProperties ? keys : []
  return {
    ...selection,
    format: kind,
    columns: [...fields, ...own.map(({ key }) => `${entity}.${key}`)],
    ...(titles === 'labels' && {
      titles: titleColumns(fields, { entity, which, keys: own }, opened !== false),
    }),
    ...(withProperties && { entities: which }),
    ...(kind === 'csv' && { separator, byteOrderMark }),
    ...opened,
  }
}

/** Titles columns by their labels. Columns with one label are told apart by their keys. */
function titleColumns(
  fields: readonly UserColumn[],
  { entity, which, keys }: Pick<Chosen, 'entity' | 'which' | 'keys'>,
  isOpen: boolean,
): string[] {
  const columns = [
    ...fields.map((field) => ({ key: field as string, label: userText.columns[field] })),
    ...keys.map(({ key, sensitive }) => {
      const header = { entity, which, key, sensitive, withheld: sensitive !== false && !isOpen }
      return { key: propertyHeader(header), label: `${labelWithType(entity, key)}${headerMarks(header)}` }
    }),
  ]
  const isAmbiguous = (label: string) => columns.filter((each) => each.label === label).length > 1
  return columns.map(({ key, label }) => (isAmbiguous(label) ? key : label))
}
