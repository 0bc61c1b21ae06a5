import { createHmac } from 'node:crypto'

import { entitiesIn } from '../../events/named-entities.ts'
import type { Claim } from './queue.ts'

/** Event properties sent, besides the ids in `entities`. Others may be personal data: keys, the actor, the reason. */
const sentIds = ['user', 'entity', 'changeset', 'segment', 'subscription'] as const

/** Returns the body of the request to a receiver. */
export function bodyOf({ type, eventtime, properties }: Claim): string {
  const ids = sentIds.filter((name) => properties[name] !== undefined)
  const data = {
    ...Object.fromEntries(ids.map((name) => [name, properties[name]])),
    ...(properties.entities !== undefined && { entities: [...entitiesIn(properties.entities).keys()] }),
  }
  return JSON.stringify({ type, timestamp: eventtime, data })
}

/**
 * Returns the headers of one attempt (Standard Webhooks 1.0.0): the event's id, which is the same on every attempt, the time
 * of this attempt, and for each secret a signature over both and the body.
 */
export function signatureHeaders(
  secrets: readonly Buffer[],
  id: string,
  at: Date,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const sign = (secret: Buffer) =>
    `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(sign).join(' '),
  }
}
