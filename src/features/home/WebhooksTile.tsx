import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { homeText } from '../../messages/index.ts'
import { links } from '../../domain/links.ts'
import { Tile, TileLine } from './Tile.tsx'
import { q } from '../../api/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { needsAttention } from '../../domain/webhooks/health.ts'
import { HealthMark, StoppedNote } from '../../domain/webhooks/HealthMark.tsx'
import { webhookName } from '../../domain/webhooks/names.ts'

const webhooksText = homeText.webhooks
const webhooksTilePollMs = 30_000
const note = { c: 'dimmed', fz: 'xs', pb: 4, style: { whiteSpace: 'normal' } } as const

export function WebhooksTile() {
  const read = useQuery({ ...q('listSubscriptions'), refetchInterval: webhooksTilePollMs })
  const count = read.data?.length ?? 0
  const none = count === 0 ? webhooksText.none : webhooksText.working({ count })
  return (
    <Tile text={{ ...webhooksText, none }} to={links.webhooks()} read={read}>
      {(webhooks) =>
        webhooks.filter(needsAttention).map((webhook) => (
          <TileLine
            key={webhook.id}
            aside={
              <>
                {webhook.waiting > 0 && (
                  <span className="ds-dimmed">{webhooksText.waiting({ count: webhook.waiting })}</span>
                )}
                <HealthMark subscription={webhook} />
              </>
            }
          >
            <Link to={links.webhook(webhook.id)} {...hint(webhook.url)}>
              {webhookName(webhook)}
            </Link>
            {webhook.description && (
              <Text {...note} dir="auto">
                {webhook.description}
              </Text>
            )}
            {webhook.disabled && (
              <Text {...note}>
                <StoppedNote disabled={webhook.disabled} />
              </Text>
            )}
          </TileLine>
        ))
      }
    </Tile>
  )
}
