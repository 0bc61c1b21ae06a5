import type { Endpoint } from '#contract/index.ts'
import type { Writing } from '../changesets/record.ts'
import type { Call } from '../http/handler.ts'
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
