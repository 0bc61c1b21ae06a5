import { validate as isUuid } from 'uuid'

import { maxListedErasures } from '#contract/index.ts'
import type { Handlers } from '../http/serve.ts'
import { finalWithinMs } from '../erasures/finalising.ts'
import { waitingErasures, type WaitingRow } from '../erasures/storage.ts'
import type { Needs } from './needs.ts'

export function erasureHandlers({ database }: Needs): Handlers<'listErasures'> {
  const { keyring, file } = database.keys
  const answered = ({ user, deleted }: WaitingRow) => ({
    user,
    deleted,
    ...(file && { due: new Date(Date.parse(deleted) + finalWithinMs).toISOString() }),
  })
  return {
    async listErasures({ query: { user } }) {
      const { total, since, erasures } =
        user === undefined || isUuid(user)
          ? await waitingErasures(database.sql, keyring.ids, { atMost: maxListedErasures, user })
          : { total: 0, since: null, erasures: [] }
      return {
        status: 200,
        body: {
          total,
          ...(since !== null && { since }),
          finalBy: file ? 'service' : 'operator',
          erasures: erasures.map(answered),
        },
      }
    },
  }
}
