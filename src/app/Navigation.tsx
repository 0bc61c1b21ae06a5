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
  return (
    <DisabledReason reason={useDenied(...(area.scope === undefined ? [] : [area.scope]))}>
      <AreaLink area={area} {...(onFollow && { onClick: onFollow })} />
    </DisabledReason>
  )
}

interface AreaLinkProps extends Omit<NavLinkProps, 'to' | 'className' | 'children'> {
  readonly area: Area
}

export function AreaLink({ area: { path }, ...props }: AreaLinkProps) {
  const Icon = icons[path]
  return (
    <NavLink to={links[path]()} className={classes.link ?? ''} {...props}>
      <Icon size={17} stroke={1.75} aria-hidden />
      {shellText.pages[path]}
    </NavLink>
  )
}
