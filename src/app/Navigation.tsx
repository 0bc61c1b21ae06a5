import { IconBolt, IconChartPie, IconUsers, IconWebhook } from '@tabler/icons-react'
import { NavLink } from 'react-router'

import type { Scope } from '#contract/index.ts'

import { offers } from '../api/connection.ts'
import { useDenied } from '../auth/use-session.ts'
import { links } from '../domain/links.ts'
import { shellText } from '../messages/index.ts'
import { DisabledReason } from '../ui/DisabledReason.tsx'
import classes from './Shell.module.css'

/** The areas of the console. */
export function Navigation({ onFollow }: { readonly onFollow?: () => void }) {
  const { users, segments, events, webhooks } = shellText.pages
  const items: readonly Omit<EntryProps, 'onFollow'>[] = [
    { to: links.users(), label: users, icon: IconUsers, scope: 'users:read' },
    { to: links.segments(), label: segments, icon: IconChartPie, scope: 'segments:read' },
    { to: links.events(), label: events, icon: IconBolt, scope: 'events:read' },
    ...(offers('webhooks')
      ? [{ to: links.webhooks(), label: webhooks, icon: IconWebhook, scope: 'webhooks:manage' as const }]
      : []),
  ]
  return (
    <nav aria-label={shellText.navigation}>
      <ul className={classes.links}>
        {items.map((item) => (
          <li key={item.to}>
            <Entry {...item} onFollow={onFollow} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface EntryProps {
  readonly to: string
  readonly label: string
  readonly icon: typeof IconUsers
  readonly scope: Scope
  readonly onFollow: (() => void) | undefined
}

function Entry({ to, label, icon: Icon, scope, onFollow }: EntryProps) {
  return (
    <DisabledReason reason={useDenied(scope)}>
      <NavLink to={to} className={classes.link ?? ''} {...(onFollow && { onClick: onFollow })}>
        <Icon size={17} stroke={1.75} aria-hidden />
        {label}
      </NavLink>
    </DisabledReason>
  )
}
