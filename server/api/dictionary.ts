import { segmentsPerPage } from '#contract/index.ts'
import { toDictionaryTypes } from '../dictionary/dictionary.ts'
import type { Handlers } from '../http/handler.ts'
import { segmentsAfter } from '../segments/storage.ts'
import type { Needs } from './needs.ts'

export function dictionaryHandlers({ database, dictionary }: Needs): Handlers<'getDictionary'> {
  return {
    async getDictionary({ caller }) {
      const kept = await dictionary.read()
      if (!kept) return { status: 200, body: { entityTypes: [] } }
      const segments = caller.scopes.has('segments:read')
        ? await segmentsAfter(database.sql, undefined, segmentsPerPage)
        : undefined
      return {
        status: 200,
        body: {
          made: new Date(kept.madeMs).toISOString(),
          ...(kept.isCut && { atLeast: true }),
          entityTypes: toDictionaryTypes(kept, segments),
        },
      }
    },
  }
}
