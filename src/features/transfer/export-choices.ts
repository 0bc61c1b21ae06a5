import type { ChangeEvent } from 'react'

import { type UserColumn, userColumns, type WhichEntities } from '#contract/index.ts'
import type { UserSource } from '../../domain/user-list/user-pages.ts'
import { userExportText } from '../../messages/index.ts'
import type { ColumnTitles, ExportPlan, PropertyColumns } from './export.ts'

/** Options of an export, apart from which users it covers. */
interface Chosen {
  readonly kind: 'csv' | 'jsonl'
  readonly separator: ',' | ';'
  readonly titles: ColumnTitles
  readonly byteOrderMark: boolean
  readonly fields: readonly UserColumn[]
  readonly withProperties: boolean
  /** Type of the entities whose properties become columns. */
  readonly entity: string
  readonly which: WhichEntities
  readonly keys: PropertyColumns['keys']
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
  readonly isFull: boolean
  readonly set: (change: ExportChoice) => void
  /** Problems to show now; none before the first attempt to submit. */
  readonly problems: ReturnType<typeof exportProblems>
}

export const isChecked = (event: ChangeEvent<HTMLInputElement>) => event.currentTarget.checked

const entityTypeRule = /^[a-z][a-z0-9_-]{0,63}$/

export function exportProblems(chosen: Chosen) {
  const { kind, fields, withProperties, entity, keys, withSensitive, reason } = chosen
  const isCsv = kind === 'csv'
  return {
    ...(isCsv && fields.length === 0 && { columns: userExportText.noColumns }),
    ...(isCsv && withProperties && !entityTypeRule.test(entity) && { entity: userExportText.entityInvalid }),
    ...(isCsv && withProperties && keys.length === 0 && { keys: userExportText.noKeyChosen }),
    ...(withProperties && withSensitive && reason.trim() === '' && { reason: userExportText.reasonMissing }),
  }
}

export function planOf(source: UserSource, { kind, withProperties, ...chosen }: Chosen): ExportPlan {
  const { separator, titles, byteOrderMark, fields, entity, which, keys, withSensitive, reason } = chosen
  return {
    source,
    format:
      kind === 'csv'
        ? {
            kind,
            separator,
            titles,
            byteOrderMark,
            fields,
            ...(withProperties && { properties: { entity, which, keys } }),
          }
        : { kind, withEntities: withProperties },
    ...(withProperties && withSensitive && { reason: reason.trim() }),
  }
}
