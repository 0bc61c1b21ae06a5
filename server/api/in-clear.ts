import type { Endpoint } from '#contract/index.ts'
import type { Writing } from '../changesets/record.ts'
import type { Call } from '../http/handler.ts'
import type { Needs } from './needs.ts'

/**
 * Creates warnings for values in clear whose key is sensitive nearly everywhere else. A service without additions has
 * no warnings.
 */
export function warnInClear({ additions, dictionary }: Pick<Needs, 'additions' | 'dictionary'>) {
  return (warn: Call<Endpoint>['warn']): Writing['inClear'] =>
    additions
      ? ({ entity, key, others }) => {
          if (others === 'sensitive' || dictionary.isSensitive(entity, key, others === 'both'))
            warn({ code: 'known_sensitive', entity, key })
        }
      : undefined
}
