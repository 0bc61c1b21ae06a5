import {
  IconBolt,
  IconChartPie,
  IconEye,
  IconHome,
  IconUsers,
  IconVocabulary,
  IconWebhook,
} from '@tabler/icons-react'
import { NavLink } from 'react-router'

import { connected } from '../api/connection.ts'
import { type Area, areasOf } from '../auth/areas.ts'
import { useDenied } from '../auth/use-session.ts'
import { links } from '../domain/links.ts'
import { shellText } from '../messages/index.ts'
import { DisabledReason } from '../ui/DisabledReason.tsx'
import classes from './Shell.module.css'
import { WebhooksMark } from './WebhooksMark.tsx'

export const areaIcons = {
  home: IconHome,
  users: IconUsers,
  segments: IconChartPie,
  events: IconBolt,
  webhooks: IconWebhook,
  dictionary: IconVocabulary,
  audit: IconEye,
}

export function Navigation({ onFollow }: { readonly onFollow?: () => void }) {
  return (
    <nav aria-label={shellText.navigation}>
      <ul className={classes.links}>
        {areasOf(connected().features).map((area) => (
          <li key={area.path}>
            <AreaLink area={area} onFollow={onFollow} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface AreaLinkProps {
  readonly area: Area
  readonly onFollow: (() => void) | undefined
}

function AreaLink({ area: { path, scope }, onFollow }: AreaLinkProps) {
  const denied = useDenied(...(scope === undefined ? [] : [scope]))
  const Icon = areaIcons[path]
  return (
    <DisabledReason reason={denied}>
      <NavLink to={links[path]()} className={classes.link ?? ''} {...(onFollow && { onClick: onFollow })}>
        <Icon size={17} stroke={1.75} aria-hidden />
        <span>{shellText.pages[path]}</span>
        {path === 'webhooks' && denied === undefined && <WebhooksMark />}
      </NavLink>
    </DisabledReason>
  )
}
