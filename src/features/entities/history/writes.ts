import { mutationOptions } from '@tanstack/react-query'

import type { Change, Entity } from '#contract/index.ts'
import { api, ApiError, etagOf } from '../../../api/index.ts'
import { guardedWrite } from '../../../domain/writing/guarded-write.ts'
import { sameProperty } from '../draft/row.ts'
import { readEntity, type KeyedWrite } from '../saving/save.ts'
import type { ServiceRevert } from './revert.ts'

export function revertProperty(userId: string, loaded: Entity, write: KeyedWrite, reason?: string) {
  return mutationOptions({
    mutationFn: (revert: ServiceRevert) => putBackInService({ userId, loaded, write, reason }, revert),
  })
}

/** Reads a sensitive property before and after a write, for a reason that the service records. Not cached. */
export function revealChange(changesetId: string) {
  return mutationOptions({
    mutationFn: async ({ key, reason }: { key: string; reason: string }): Promise<Change> => {
      const params = { changeset_id: changesetId }
      const { changes } = await api.revealChanges({ params, body: { keys: [key], reason } })
      const change = changes.find((each) => each.key === key)
      if (!change) throw new ApiError({ status: 200, code: 'unreadable' })
      return change
    },
  })
}

interface PuttingBack {
  readonly userId: string
  readonly loaded: Entity
  readonly write: KeyedWrite
  readonly reason: string | undefined
}

/** Lets the service restore a masked value; `contested` if somebody else has written it since `loaded` was read. */
export async function putBackInService(
  { userId, loaded, write, reason }: PuttingBack,
  revert: ServiceRevert,
): Promise<'put back' | 'contested'> {
  const written = await guardedWrite({
    write,
    base: loaded,
    read: () => readEntity(userId, loaded.id),
    tag: etagOf,
    merge: (now) => (isLike(loaded, now, revert.key) ? { send: revert } : { done: 'contested' as const }),
    requestOf: (plan) => [plan, reason],
    send: ({ changesetId, key }, guard) =>
      api.revertChangeset({
        params: { changeset_id: changesetId },
        body: { keys: [key] },
        reason,
        ...guard,
      }),
    repeats: true,
  })
  if (written.outcome === 'written') return 'put back'
  if (written.outcome === 'done') return written.result
  throw written.error
}

function isLike(before: Entity, now: Entity, key: string): boolean {
  const [then, today] = [before, now].map(({ properties }) => properties.find((each) => each.key === key))
  return then && today ? sameProperty(then, today) : then === today
}
