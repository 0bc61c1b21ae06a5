import { validate as isUuid } from 'uuid'

import { maxSubscriptions, recentAttempts, type webhookEndpoints } from '#contract/index.ts'
import { numberEvents, recordEvent } from '../events/storage.ts'
import { invalid, notFound } from '../http/errors/problem.ts'
import type { Handlers } from '../http/handler.ts'
import { createSecret } from '../sealing/webhook-secrets.ts'
import { newId } from '../store/new-id.ts'
import { toAttempt, toDelivery, toSubscription } from '../webhooks/answers.ts'
import { healthOf } from '../webhooks/health.ts'
import { deliverAgain, recipientsOf, recover } from '../webhooks/redelivery.ts'
import { checkUrl, emptySpan, isNeverFor, notEnabled, tooManySubscriptions } from '../webhooks/rules.ts'
import {
  allSubscriptions,
  countSubscriptions,
  deliveriesOf,
  eventById,
  insertSubscription,
  lockSubscription,
  lastAttempts,
  markDeleted,
  replaceSecret,
  type SubscriptionRow,
  subscriptionById,
  updateSubscription,
} from '../webhooks/storage.ts'
import type { Needs } from './needs.ts'

/** Default number of hours for which the previous secret also signs. */
const graceHours = 24

export function webhookHandlers({
  database,
  allowLoopback = false,
}: Needs): Handlers<keyof typeof webhookEndpoints> {
  const { keyring, indexKey } = database.keys

  async function findSubscription(id: string): Promise<SubscriptionRow> {
    const row = await subscriptionById(database.sql, id)
    if (!row) throw notFound('subscription')
    return row
  }

  async function findEvent(id: string) {
    await numberEvents(database.sql)
    const event = await eventById(database.sql, id)
    if (!event) throw notFound('event')
    return event
  }

  return {
    async listSubscriptions() {
      return { status: 200, body: (await allSubscriptions(database.sql)).map(toSubscription) }
    },

    async createSubscription({
      body: { url, types = null, description = null, enabled = true },
      caller: { subject: actor },
      write,
    }) {
      const id = newId()
      const { text, sealed } = createSecret(keyring, id)
      const checked = checkUrl(url, allowLoopback)
      // Number all earlier events first: an event gets its recipients together with its position, so a new webhook
      // receives no old events.
      await numberEvents(database.sql)
      const settings = { id, url: checked, types, description, enabled }
      return await write(async (transaction) => {
        if ((await countSubscriptions(transaction)) >= maxSubscriptions) throw tooManySubscriptions()
        await insertSubscription(transaction, { ...settings, secret: sealed })
        await recordEvent(transaction, 'SUBSCRIPTION_CREATED', { subscription: id, actor })
        return { status: 200, body: { id, secret: text } }
      })
    },

    async getSubscription({ params: { subscription_id: id } }) {
      return { status: 200, body: toSubscription(await findSubscription(id)) }
    },

    async patchSubscription({ params: { subscription_id: id }, body: { url, ...change }, caller, write }) {
      const given = { ...change, ...(url !== undefined && { url: checkUrl(url, allowLoopback) }) }
      // Number earlier events first, so that they are delivered under the previous settings.
      await numberEvents(database.sql)
      return await write(async (transaction) => {
        const before = await lockSubscription(transaction, id)
        if (!before) throw notFound('subscription')
        const after = {
          id: before.id,
          url: given.url ?? before.url,
          types: given.types === undefined ? before.types : given.types,
          description: given.description === undefined ? before.description : given.description,
          enabled: given.enabled ?? before.enabled,
        }
        if (JSON.stringify(after) === JSON.stringify(before)) return { status: 204 }
        await updateSubscription(transaction, after)
        await recordEvent(transaction, 'SUBSCRIPTION_UPDATED', {
          subscription: before.id,
          actor: caller.subject,
        })
        return { status: 204 }
      })
    },

    async deleteSubscription({ params: { subscription_id: id }, caller, write }) {
      // A background task removes the deliveries, of which there may be millions.
      return await write(async (transaction) => {
        if (!(await markDeleted(transaction, id))) throw notFound('subscription')
        await recordEvent(transaction, 'SUBSCRIPTION_DELETED', {
          subscription: id,
          actor: caller.subject,
        })
        return { status: 204 }
      })
    },

    async testSubscription({ params: { subscription_id }, caller, write }) {
      const answer = await write(async (transaction) => {
        const row = await lockSubscription(transaction, subscription_id)
        if (!row) throw notFound('subscription')
        const event = await recordEvent(transaction, 'WEBHOOK_TEST', {
          subscription: row.id,
          actor: caller.subject,
        })
        return { status: 200, body: { event } }
      })
      await numberEvents(database.sql)
      return answer
    },

    async rotateSecret({ params: { subscription_id: id }, body: { hours = graceHours }, caller, write }) {
      const { id: subscription } = await findSubscription(id)
      const { text, sealed } = createSecret(keyring, subscription)
      return await write(async (transaction) => {
        const replaced = await replaceSecret(transaction, { id: subscription, secret: sealed, hours })
        if (!replaced) throw notFound('subscription')
        await recordEvent(transaction, 'SUBSCRIPTION_SECRET_ROTATED', {
          subscription,
          actor: caller.subject,
        })
        const { until } = replaced
        return {
          status: 200,
          body: { secret: text, ...(until !== null && { previousSecretUntil: until }) },
        }
      })
    },

    async listRecentAttempts({ params: { subscription_id } }) {
      const { id } = await findSubscription(subscription_id)
      const rows = await lastAttempts(database.sql, id, recentAttempts)
      const answer = rows.map(({ seq, event, type, attempt }) =>
        Object.assign(toAttempt(indexKey, { subscription: id, seq }, attempt), { event, type }),
      )
      return { status: 200, body: answer }
    },

    async getHealth({ params: { subscription_id } }) {
      const { id } = await findSubscription(subscription_id)
      return { status: 200, body: await healthOf(database.sql, id) }
    },

    async recoverSubscription({ params: { subscription_id }, body: { since, until, dryRun = false } }) {
      const { id, enabled } = await findSubscription(subscription_id)
      if (Date.parse(since) >= (until === undefined ? Date.now() : Date.parse(until))) throw emptySpan()
      if (!enabled && !dryRun) throw notEnabled()
      await numberEvents(database.sql)
      const events = await recover(database.sql, id, { since, until, dryRun })
      return { status: 200, body: { events } }
    },

    async listDeliveries({ params: { event_id }, caller }) {
      const { seq } = await findEvent(event_id)
      const rows = await deliveriesOf(database.sql, seq, { whole: caller.scopes.has('webhooks:manage') })
      return { status: 200, body: rows.map((row) => toDelivery(indexKey, seq, row)) }
    },

    async redeliverEvent({ params: { event_id }, body: { subscription } }) {
      const event = await findEvent(event_id)
      if (subscription === undefined) {
        const recipients = await recipientsOf(database.sql, event)
        return { status: 200, body: { deliveries: await deliverAgain(database.sql, event.seq, recipients) } }
      }
      const row = isUuid(subscription) ? await subscriptionById(database.sql, subscription) : undefined
      if (!row)
        throw notForIt(
          'subscription_not_found',
          'There is no subscription with this id. It may have been deleted.',
        )
      if (isNeverFor(row.id, event))
        throw notForIt(
          'not_for_subscription',
          'Events about webhooks themselves are sent to no subscription.',
        )
      if (!row.enabled) throw notEnabled()
      return { status: 200, body: { deliveries: await deliverAgain(database.sql, event.seq, [row.id]) } }
    },
  }
}

const notForIt = (code: 'subscription_not_found' | 'not_for_subscription', detail: string) =>
  invalid([{ pointer: '/subscription', code, detail }])
