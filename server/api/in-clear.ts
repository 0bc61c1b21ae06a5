import type { Endpoint } from '#contract/index.ts'
import type { Writing } from '../changesets/record.ts'
import type { Call } from '../http/serve.ts'
import type { Needs } from './needs.ts'

/** Warns of values in clear where nearly all others of their key are sensitive. The bare document has no warnings. */
export function warnInClear({ additions, dictionary }: Pick<Needs, 'additions' | 'dictionary'>) {
  return (warn: Call<Endpoint>['warn']): Writing['inClear'] =>
    additions
      ? ({ entity, key, others }) => {
          if (others === 'sensitive' || dictionary.isSensitive(entity, key, others === 'both'))
            warn({ code: 'known_sensitive', entity, key })
        }
      : undefined
}
