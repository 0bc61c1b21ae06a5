import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { q } from '../../api/index.ts'
import { links } from '../../domain/links.ts'
import { needsAttention } from '../../domain/webhooks/health.ts'
import { HealthMark, StoppedNote } from '../../domain/webhooks/HealthMark.tsx'
import { webhookName } from '../../domain/webhooks/names.ts'
import { homeText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import classes from './HomePage.module.css'
import { EmptyTile, Tile, TileLine } from './Tile.tsx'

const webhooksText = homeText.webhooks
const webhooksTilePollMs = 30_000
const whole = { whiteSpace: 'normal' } as const

export function WebhooksTile() {
  const read = useQuery({ ...q('listSubscriptions'), refetchInterval: webhooksTilePollMs })
  return (
    <Tile title={webhooksText.title} all={{ to: links.webhooks(), label: webhooksText.all }} read={read}>
      {(webhooks) => {
        const ailing = webhooks.filter(needsAttention)
        if (webhooks.length === 0) return <EmptyTile>{webhooksText.none}</EmptyTile>
        if (ailing.length === 0)
          return <EmptyTile>{webhooksText.working({ count: webhooks.length })}</EmptyTile>
        return (
          <ul className={classes.list}>
            {ailing.map((webhook) => (
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
                  <Text c="dimmed" fz="xs" pb={4} dir="auto" style={whole}>
                    {webhook.description}
                  </Text>
                )}
                {webhook.disabled && (
                  <Text c="dimmed" fz="xs" pb={4} style={whole}>
                    <StoppedNote disabled={webhook.disabled} />
                  </Text>
                )}
              </TileLine>
            ))}
          </ul>
        )
      }}
    </Tile>
  )
}
