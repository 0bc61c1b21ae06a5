import type { Adapter, AdapterPayload } from 'oidc-provider'

/**
 * Maximum number of entries per kind (session, code, refresh token…); the oldest are evicted, so that a flood of
 * requests cannot fill the memory.
 */
const capacity = 5_000

interface Entry {
  payload: AdapterPayload
  expiresAtMs: number
}

/**
 * Keeps the sessions and tokens of the sign-in in memory, so after a restart everybody has to sign in again. Each kind
 * has its own entries, so that abandoned sign-in pages never evict a session.
 */
export function createStore(): Adapter {
  const entries = new Map<string, Entry>()

  function live(id: string): AdapterPayload | undefined {
    const entry = entries.get(id)
    return entry && entry.expiresAtMs > Date.now() ? entry.payload : undefined
  }

  function makeRoom(): void {
    if (entries.size < capacity) return
    for (const [id, entry] of entries) if (entry.expiresAtMs <= Date.now()) entries.delete(id)
    for (const id of entries.keys()) {
      if (entries.size < capacity) break
      entries.delete(id)
    }
  }

  function findBy(matches: (payload: AdapterPayload) => boolean): AdapterPayload | undefined {
    for (const id of entries.keys()) {
      const payload = live(id)
      if (payload && matches(payload)) return structuredClone(payload)
    }
    return undefined
  }

  return {
    upsert: async (id, payload, expiresInS) => {
      entries.delete(id)
      makeRoom()
      const expiresAtMs = expiresInS === undefined ? Infinity : Date.now() + expiresInS * 1000
      entries.set(id, { payload: structuredClone(payload), expiresAtMs })
    },
    find: async (id) => structuredClone(live(id)),
    findByUid: async (uid) => findBy((payload) => payload.uid === uid),
    findByUserCode: async (userCode) => findBy((payload) => payload.userCode === userCode),
    consume: async (id) => {
      const payload = live(id)
      if (payload) payload.consumed = Math.floor(Date.now() / 1000)
    },
    destroy: async (id) => {
      entries.delete(id)
    },
    revokeByGrantId: async (grantId) => {
      for (const [id, { payload }] of entries) if (payload.grantId === grantId) entries.delete(id)
    },
  }
}
