import { validate as isUuid } from 'uuid'

import { type Erasure, erasuresPerPage, maxListedErasures } from '#contract/index.ts'
import { finalWithinMs } from '../erasures/finalising.ts'
import { deriveDigestKey, digestsOf } from '../erasures/identifiers.ts'
import { segmentsNaming } from '../erasures/segments.ts'
import {
  type ErasureRow,
  erasures,
  erasuresByDigests,
  lastWithoutDigests,
  waitingErasures,
} from '../erasures/storage.ts'
import { recordEvent } from '../events/storage.ts'
import type { Caller } from '../http/auth/caller.ts'
import { Refusal } from '../http/errors/problem.ts'
import type { Handlers } from '../http/handler.ts'
import { jobsNaming } from '../jobs/erased.ts'
import { decodeOffset, encodeOffset } from '../users/paging.ts'
import type { Needs } from './needs.ts'

interface Asked {
  readonly user?: string | undefined
  readonly state?: 'waiting' | 'final' | 'all' | undefined
  readonly q?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly offset?: string | undefined
}

export function erasureHandlers({
  database,
}: Needs): Handlers<'listErasures' | 'searchErasures' | 'checkErasure'> {
  const { keyring, file, secrets, indexKey, keepsDigests } = database.keys
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
  /** Returns the segments and jobs that still name an erased user. */
  async function readTraces({ user, emptied }: ErasureRow, caller: Caller): Promise<Pick<Erasure, 'traces'>> {
    if (emptied) return {}
    const segments = await segmentsNaming(database, user)
    const jobs = await jobsNaming(database, user)
    if (segments.length + jobs.length === 0) return {}
    const showsNames = caller.scopes.has('segments:read')
    return {
      traces: { segments: segments.map(({ id, name }) => (showsNames ? { id, name } : { id })), jobs },
    }
  }
  /** Returns the deletions that wait, or with a state a page of those that match. */
  async function readList({ user, state, q, from, to, offset = '' }: Asked, caller: Caller) {
    const list = JSON.stringify(['erasures', state, q, from, to])
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
        : await erasures(database.sql, keyring.ids, {
            state,
            user,
            q: q?.trim() || undefined,
            from,
            to,
            after,
            atMost: erasuresPerPage + 1,
          })
    const shown = page.slice(0, erasuresPerPage)
    const isOne = state !== undefined && user !== undefined
    const toAnswer = async (row: ErasureRow) => ({
      ...toErasure(row),
      ...(isOne && (await readTraces(row, caller))),
    })
    const last = page.length > erasuresPerPage ? shown.at(-1) : undefined
    return {
      total,
      ...(since !== null && { since }),
      finalBy: file ? 'service' : 'operator',
      ...(file && dueOf(Date.now())),
      erasures: await Promise.all((state === undefined ? waiting : shown).map(toAnswer)),
      ...(state !== undefined && { next: last ? encodeOffset(secrets.paging, last.user, list) : '' }),
    }
  }

  return {
    async listErasures({ query, caller }) {
      return { status: 200, body: await readList(query, caller) }
    },

    async searchErasures({ body, caller }) {
      return { status: 200, body: await readList(body, caller) }
    },

    async checkErasure({ body, caller: { subject: actor } }) {
      if (!keepsDigests) throw notKept()
      const digests = digestsOf(deriveDigestKey(indexKey), body)
      const found = await erasuresByDigests(database.sql, keyring.ids, { digests, atMost: erasuresPerPage })
      const unknownUntil = await lastWithoutDigests(database.sql)
      // The event is committed before the answer leaves, as for a check of a sensitive value.
      const by = body.email === undefined ? 'ref' : 'email'
      const asked = { actor, by, users: String(found.length) }
      await database.sql
        .transaction()
        .execute((transaction) => recordEvent(transaction, 'ERASURES_CHECKED', asked))
      return {
        status: 200,
        body: {
          erased: found.length > 0,
          erasures: found.map(toErasure),
          ...(unknownUntil !== null && { unknownUntil }),
        },
      }
    },
  }
}

const notKept = () =>
  new Refusal(
    'digests_not_kept',
    'This service keeps nothing that could be compared with deleted users (ERASURE_DIGESTS=none). Search the deletions by reference, id, actor or time instead.',
  )
