import type { UserSource } from '../../domain/user-list/user-pages.ts'
import { transferText } from '../../messages/index.ts'
import { type UserColumn, userColumns } from './cells.ts'
import type { ExportPlan, PropertyColumns } from './export.ts'

const text = transferText.export

/** What a person chose of an export, beside whose it is. */
export interface Chosen {
  readonly kind: 'csv' | 'jsonl'
  readonly separator: ',' | ';'
  readonly byteOrderMark: boolean
  readonly fields: readonly UserColumn[]
  readonly withProperties: boolean
  /** Type of the entity whose properties become columns. */
  readonly entity: string
  readonly keys: PropertyColumns['keys']
  readonly withSensitive: boolean
  readonly reason: string
}

export const usual: Chosen = {
  kind: 'csv',
  separator: ',',
  byteOrderMark: true,
  fields: userColumns,
  withProperties: false,
  entity: 'person',
  keys: [],
  withSensitive: false,
  reason: '',
}

const entityTypeRule = /^[a-z][a-z0-9_-]{0,63}$/

/** By the part of the form that each belongs to. */
export function problemsOf({ kind, fields, withProperties, entity, keys, withSensitive, reason }: Chosen) {
  const isCsv = kind === 'csv'
  return {
    ...(isCsv && fields.length === 0 && { columns: text.noColumns }),
    ...(isCsv && withProperties && !entityTypeRule.test(entity) && { entity: text.entityInvalid }),
    ...(isCsv && withProperties && keys.length === 0 && { keys: text.noKeyChosen }),
    ...(withProperties && withSensitive && reason.trim() === '' && { reason: text.reasonMissing }),
  }
}

export function planOf(source: UserSource, { kind, withProperties, ...chosen }: Chosen): ExportPlan {
  const { separator, byteOrderMark, fields, entity, keys, withSensitive, reason } = chosen
  return {
    source,
    format:
      kind === 'csv'
        ? { kind, separator, byteOrderMark, fields, ...(withProperties && { properties: { entity, keys } }) }
        : { kind, withEntities: withProperties },
    ...(withProperties && withSensitive && { reason: reason.trim() }),
  }
}
