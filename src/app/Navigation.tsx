import {
  IconBolt,
  IconChartPie,
  IconEye,
  IconHome,
  IconUsers,
  IconVocabulary,
  IconWebhook,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { NavLink, type NavLinkProps } from 'react-router'

import { offers } from '../api/connection.ts'
import { type Area, areas } from '../auth/areas.ts'
import { useDenied } from '../auth/use-session.ts'
import { links } from '../domain/links.ts'
import { shellText } from '../messages/index.ts'
import { DisabledReason } from '../ui/DisabledReason.tsx'
import classes from './Shell.module.css'
import { WebhooksMark } from './WebhooksMark.tsx'

const icons = {
  home: IconHome,
  users: IconUsers,
  segments: IconChartPie,
  events: IconBolt,
  webhooks: IconWebhook,
  dictionary: IconVocabulary,
  audit: IconEye,
}

/** The areas of the console. */
export function Navigation({ onFollow }: { readonly onFollow?: () => void }) {
  return (
    <AreaList>
      {areas.map(
        (area) =>
          (area.feature === undefined || offers(area.feature)) && (
            <li key={area.path}>
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
  const denied = useDenied(...(area.scope === undefined ? [] : [area.scope]))
  return (
    <DisabledReason reason={denied}>
      <AreaLink area={area} {...(onFollow && { onClick: onFollow })}>
        {area.path === 'webhooks' && denied === undefined && <WebhooksMark />}
      </AreaLink>
    </DisabledReason>
  )
}

interface AreaLinkProps extends Omit<NavLinkProps, 'to' | 'className' | 'children'> {
  readonly area: Area
  /** Behind its name. */
  readonly children?: ReactNode
}

export function AreaLink({ area: { path }, children, ...props }: AreaLinkProps) {
  const Icon = icons[path]
  return (
    <NavLink to={links[path]()} className={classes.link ?? ''} {...props}>
      <Icon size={17} stroke={1.75} aria-hidden />
      <span>{shellText.pages[path]}</span>
      {children}
    </NavLink>
  )
}
