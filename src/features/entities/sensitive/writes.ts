import { mutationOptions } from '@tanstack/react-query'

import type { Property } from '#contract/index.ts'
import { api, ApiError } from '../../../api/index.ts'
import type { EntityPath } from '../draft/entity-draft.ts'

// The service records every reveal and check of a value as an event of the user.

/** Reads one sensitive value, for a reason that the service records. The response is not cached. */
export function revealProperty({ userId, entityId }: Required<EntityPath>) {
  return mutationOptions({
    mutationFn: async ({ key, reason }: { key: string; reason: string }): Promise<Property> => {
      const params = { user_id: userId, entity_id: String(entityId) }
      const { properties } = await api.revealProperties({ params, body: { keys: [key], reason } })
      const property = properties.find((each) => each.key === key)
      if (!property) throw new ApiError({ status: 200, code: 'unreadable' })
      return property
    },
  })
}

interface Said {
  readonly key: string
  readonly value: string
  readonly reason: string | undefined
}

/** Checks whether the user has this value under the key. The service records the check. */
export function checkValue(userId: string) {
  return mutationOptions({
    mutationFn: async ({ key, value, reason }: Said) => {
      const body = { keys: [key], value, ...(reason !== undefined && { reason }) }
      return (await api.checkValue({ params: { user_id: userId }, body })).matches
    },
  })
}
