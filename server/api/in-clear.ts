import type { Endpoint, PropertyWarning } from '#contract/index.ts'
import type { Writing } from '../changesets/record.ts'
import { readMarks } from '../entities/property-keys.ts'
import type { Call } from '../http/handler.ts'
import type { Handle } from '../store/sql.ts'
import type { Needs } from './needs.ts'

/**
 * Creates warnings for values in clear whose key is defined as sensitive or, if its definition says nothing about that,
 * is sensitive nearly everywhere else. A service without additions has no warnings.
 */
export function warnInClear({
  additions,
  definitions,
  dictionary,
}: Pick<Needs, 'additions' | 'definitions' | 'dictionary'>) {
  return (warn: Call<Endpoint>['warn']): Writing['inClear'] =>
    additions
      ? ({ entity, key, others }) => {
          const isSensitive =
            definitions.isSensitive(entity, key) ??
            (others === 'sensitive' || dictionary.isSensitive(entity, key, others === 'both'))
          if (isSensitive) warn({ code: 'known_sensitive', entity, key })
        }
      : undefined
}

/** Lists warnings for values that a job stores in clear for users who do not have the properties yet. */
export function listWarnings(needs: Parameters<typeof warnInClear>[0]) {
  const inClear = warnInClear(needs)
  return async (
    database: Handle,
    properties: readonly { readonly entity: string; readonly key: string }[],
  ): Promise<PropertyWarning[]> => {
    const warnings: PropertyWarning[] = []
    const found = inClear((warning) => warnings.push(warning))
    for (const { entity, key } of properties)
      found?.({ entity, key, others: await readMarks(database, entity, key) })
    return warnings
  }
}
