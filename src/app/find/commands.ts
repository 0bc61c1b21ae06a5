import { useMantineColorScheme } from '@mantine/core'
import {
  type Icon,
  IconBolt,
  IconChartPie,
  IconClock,
  IconDeviceDesktop,
  IconDownload,
  IconEye,
  IconHome,
  IconLogout,
  IconMoon,
  IconPlus,
  IconSun,
  IconTrash,
  IconUpload,
  IconUsers,
  IconVocabulary,
  IconWebhook,
} from '@tabler/icons-react'

import type { Area } from '../../auth/areas.ts'
import { hasPage, links } from '../../domain/links.ts'
import { useDenied, useSession } from '../../auth/use-session.ts'
import { findText, shellText } from '../../messages/index.ts'
import { localZone, type Zones } from '../../ui/time.ts'
import type { Option } from './option.ts'

export interface Commanded {
  readonly zone: Zones['shown']
  readonly onZone: (zone: Zones['shown']) => void
}

/**
 * Keeps transitions during a change of the colour scheme: switching them off would take a `<style>`, which the page's
 * policy forbids.
 */
const keepTransitions = { keepTransitions: true }

const schemeIcons = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop }

/** Pages offered as commands; pages about one thing are not. */
type LedPage =
  | Area['path']
  | 'newUser'
  | 'newSegment'
  | 'newWebhook'
  | 'exportUsers'
  | 'importUsers'
  | 'batch'
  | 'deletedUsers'

/**
 * Returns pages and actions, including those the caller may not use. An action whose effect is already in place is
 * left out.
 */
export function useCommands({ zone, onZone }: Commanded): readonly Option[] {
  const session = useSession()
  const { colorScheme, setColorScheme } = useMantineColorScheme(keepTransitions)
  const denied = useDisabledReasons()
  const otherZone = zone === 'utc' ? 'local' : 'utc'
  const { words } = findText
  const leads = (
    icon: Icon,
    page: LedPage,
    found: keyof typeof words,
    reason?: string,
    shortcut?: string,
  ): readonly Option[] => {
    if (!hasPage(page)) return []
    const to = links[page]()
    const label = shellText.pages[page]
    return [{ id: `page ${to}`, icon, label, to, words: words[found], denied: reason, shortcut }]
  }
  return [
    ...leads(IconHome, 'home', 'home', undefined, 'g h'),
    ...leads(IconUsers, 'users', 'users', denied.readUsers, 'g u'),
    ...leads(IconChartPie, 'segments', 'segments', denied.readSegments, 'g s'),
    ...leads(IconBolt, 'events', 'events', denied.readEvents, 'g e'),
    ...leads(IconWebhook, 'webhooks', 'webhooks', denied.webhooks, 'g w'),
    ...leads(IconVocabulary, 'dictionary', 'dictionary', denied.dictionary, 'g d'),
    ...leads(IconEye, 'audit', 'audit', denied.audit, 'g a'),
    ...leads(IconPlus, 'newUser', 'create', denied.writeUsers),
    ...leads(IconPlus, 'newSegment', 'create', denied.writeSegments),
    ...leads(IconPlus, 'newWebhook', 'create', denied.webhooks),
    ...leads(IconDownload, 'exportUsers', 'exportUsers', denied.readUsers),
    ...leads(IconUpload, 'importUsers', 'importUsers', denied.writeUsers),
    ...leads(IconUsers, 'batch', 'batch', denied.writeEntities),
    ...leads(IconTrash, 'deletedUsers', 'deletedUsers', denied.readUsers),
    ...(['light', 'dark', 'auto'] as const)
      .filter((scheme) => scheme !== colorScheme)
      .map((scheme) => ({
        id: `scheme ${scheme}`,
        icon: schemeIcons[scheme],
        label: findText.scheme[scheme],
        called: findText.called[scheme],
        words: words.scheme,
        run: () => setColorScheme(scheme),
      })),
    {
      id: `zone ${otherZone}`,
      icon: IconClock,
      label: otherZone === 'utc' ? findText.zone.utc : findText.zone.local({ zone: localZone() }),
      called: findText.called[otherZone],
      words: words.zone,
      run: () => onZone(otherZone),
    },
    {
      id: 'sign out',
      icon: IconLogout,
      label: shellText.signOut,
      words: words.signOut,
      run: () => void session.signOut(),
    },
  ]
}

function useDisabledReasons() {
  return {
    readUsers: useDenied('users:read'),
    readSegments: useDenied('segments:read'),
    readEvents: useDenied('events:read'),
    writeUsers: useDenied('users:write'),
    writeEntities: useDenied('users:read', 'entities:read', 'entities:write'),
    writeSegments: useDenied('segments:write'),
    webhooks: useDenied('webhooks:manage'),
    dictionary: useDenied('entities:read'),
    audit: useDenied('sensitive:read'),
  }
}
