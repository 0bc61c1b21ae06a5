import { validate as isUuid } from 'uuid'

import { erasuresPerPage, maxListedErasures } from '#contract/index.ts'
import { finalWithinMs } from '../erasures/finalising.ts'
import { type ErasureRow, erasures, waitingErasures } from '../erasures/storage.ts'
import type { Handlers } from '../http/handler.ts'
import { decodeOffset, encodeOffset } from '../users/paging.ts'
import type { Needs } from './needs.ts'

export function erasureHandlers({ database }: Needs): Handlers<'listErasures'> {
  const { keyring, file, secrets } = database.keys
  const dueOf = (deletedMs: number) => ({ due: new Date(deletedMs + finalWithinMs).toISOString() })
  const toErasure = ({ user, deleted, waits, final, actor, reference }: ErasureRow) => ({
    user,
    deleted,
    state: waits ? 'waiting' : 'final',
    ...(waits && file && dueOf(Date.parse(deleted))),
    ...(final !== null && { final }),
    ...(actor !== null && { actor }),
    ...(reference !== null && { reference }),
  })
  return {
    async listErasures({ query: { user, state, offset = '' } }) {
      const list = `erasures ${state}`
      const after = offset === '' ? undefined : decodeOffset(secrets.paging, offset, list)
      const isNobody = user !== undefined && !isUuid(user)
      const atMost = state === undefined && !isNobody ? maxListedErasures : 0
      const {
        total,
        since,
        erasures: waiting,
      } = isNobody
        ? { total: 0, since: null, erasures: [] }
        : await waitingErasures(database.sql, keyring.ids, { atMost, user })
      const page =
        state === undefined || isNobody
          ? []
          : await erasures(database.sql, keyring.ids, { state, user, after, atMost: erasuresPerPage + 1 })
      const shown = page.slice(0, erasuresPerPage)
      const last = page.length > erasuresPerPage ? shown.at(-1) : undefined
      return {
        status: 200,
        body: {
          total,
          ...(since !== null && { since }),
          finalBy: file ? 'service' : 'operator',
          ...(file && dueOf(Date.now())),
          erasures: (state === undefined ? waiting : shown).map(toErasure),
          ...(state !== undefined && { next: last ? encodeOffset(secrets.paging, last.user, list) : '' }),
        },
      }
    },
  }
}
