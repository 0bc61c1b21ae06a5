import { IconBolt, IconChartPie, IconUsers, IconWebhook } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { NavLink, type NavLinkProps } from 'react-router'

import type { Scope } from '#contract/index.ts'

import { offers } from '../api/connection.ts'
import { useDenied } from '../auth/use-session.ts'
import { links } from '../domain/links.ts'
import { shellText } from '../messages/index.ts'
import { DisabledReason } from '../ui/DisabledReason.tsx'
import classes from './Shell.module.css'

interface Area {
  readonly to: string
  readonly label: string
  readonly icon: typeof IconUsers
  readonly scope: Scope
  /** Without it the service has no such area. */
  readonly feature?: Parameters<typeof offers>[0]
}

const { users, segments, events, webhooks } = shellText.pages

export const areas: readonly Area[] = [
  { to: links.users(), label: users, icon: IconUsers, scope: 'users:read' },
  { to: links.segments(), label: segments, icon: IconChartPie, scope: 'segments:read' },
  { to: links.events(), label: events, icon: IconBolt, scope: 'events:read' },
  { to: links.webhooks(), label: webhooks, icon: IconWebhook, scope: 'webhooks:manage', feature: 'webhooks' },
]

/** The areas of the console. */
export function Navigation({ onFollow }: { readonly onFollow?: () => void }) {
  return (
    <AreaList>
      {areas.map(
        (area) =>
          (area.feature === undefined || offers(area.feature)) && (
            <li key={area.to}>
              <Entry area={area} onFollow={onFollow} />
            </li>
          ),
      )}
    </AreaList>
  )
}

export function AreaList({ children }: { readonly children: ReactNode }) {
  return (
    <nav aria-label={shellText.navigation}>
      <ul className={classes.links}>{children}</ul>
    </nav>
  )
}

interface EntryProps {
  readonly area: Area
  readonly onFollow: (() => void) | undefined
}

function Entry({ area, onFollow }: EntryProps) {
  return (
    <DisabledReason reason={useDenied(area.scope)}>
      <AreaLink area={area} {...(onFollow && { onClick: onFollow })} />
    </DisabledReason>
  )
}

interface AreaLinkProps extends Omit<NavLinkProps, 'to' | 'className' | 'children'> {
  readonly area: Area
}

export function AreaLink({ area: { to, label, icon: Icon }, ...props }: AreaLinkProps) {
  return (
    <NavLink to={to} className={classes.link ?? ''} {...props}>
      <Icon size={17} stroke={1.75} aria-hidden />
      {label}
    </NavLink>
  )
}
