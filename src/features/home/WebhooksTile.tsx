import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { q } from '../../api/index.ts'
import { links } from '../../domain/links.ts'
import { isSample, needsAttention } from '../../domain/webhooks/health.ts'
import { HealthMark, StoppedNote } from '../../domain/webhooks/HealthMark.tsx'
import { subscriptionName } from '../../domain/webhooks/names.ts'
import { homeText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { Tile, TileLine } from './Tile.tsx'

const webhooksText = homeText.webhooks
const webhooksTilePollMs = 30_000
const note = { c: 'dimmed', fz: 'xs', pb: 4, style: { whiteSpace: 'normal' } } as const

export function WebhooksTile() {
  const read = useQuery({ ...q('listSubscriptions'), refetchInterval: webhooksTilePollMs })
  const count = read.data?.filter((each) => !isSample(each)).length ?? 0
  const none = count === 0 ? webhooksText.none : webhooksText.working({ count })
  return (
    <Tile text={{ ...webhooksText, none }} to={links.webhooks()} read={read}>
      {(subscriptions) =>
        subscriptions.filter(needsAttention).map((subscription) => (
          <TileLine
            key={subscription.id}
            aside={
              <>
                {subscription.waiting > 0 && (
                  <span className="ds-dimmed">{webhooksText.waiting({ count: subscription.waiting })}</span>
                )}
                <HealthMark subscription={subscription} />
              </>
            }
          >
            <Link to={links.webhook(subscription.id)} {...hint(subscription.url)}>
              {subscriptionName(subscription)}
            </Link>
            {subscription.description && (
              <Text {...note} dir="auto">
                {subscription.description}
              </Text>
            )}
            {subscription.disabled && (
              <Text {...note}>
                <StoppedNote disabled={subscription.disabled} />
              </Text>
            )}
          </TileLine>
        ))
      }
    </Tile>
  )
}
