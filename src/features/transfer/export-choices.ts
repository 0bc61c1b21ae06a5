import type { ChangeEvent } from 'react'

import type { UserSource } from '../../domain/user-list/user-pages.ts'
import { transferText } from '../../messages/index.ts'
import { type UserColumn, userColumns, type WhichEntities } from './cells.ts'
import type { ExportPlan, PropertyColumns } from './export.ts'

const text = transferText.export

/** What a person chose of an export, beside whose it is. */
export interface Chosen {
  readonly kind: 'csv' | 'jsonl'
  readonly separator: ',' | ';'
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

/** What has been chosen, in place of what usually is. */
export type Choice = Partial<Chosen>

/** What is asked of the users. */
export interface Asked {
  /** Types of entities. */
  readonly types: readonly string[]
  /** Why the entities that it asks for cannot be told from others. */
  readonly denied: string | undefined
}

/** What was chosen, and what usually is where nothing was, or where it cannot be had of this type and segment. */
export function chosenOf({ types, denied }: Asked, choice: Choice): Chosen {
  const { entity = types[0] ?? 'person' } = choice
  const isMatchingKnown = types.includes(entity) && denied === undefined
  const which = choice.which ?? 'matching'
  return {
    kind: 'csv',
    separator: ',',
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

/** What each part of the form is given. */
export interface PartProps {
  readonly chosen: Chosen
  readonly set: (change: Choice) => void
  /** Those that are shown. */
  readonly problems: ReturnType<typeof problemsOf>
}

export const isChecked = (event: ChangeEvent<HTMLInputElement>) => event.currentTarget.checked

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
  const { separator, byteOrderMark, fields, entity, which, keys, withSensitive, reason } = chosen
  return {
    source,
    format:
      kind === 'csv'
        ? {
            kind,
            separator,
            byteOrderMark,
            fields,
            ...(withProperties && { properties: { entity, which, keys } }),
          }
        : { kind, withEntities: withProperties },
    ...(withProperties && withSensitive && { reason: reason.trim() }),
  }
}
