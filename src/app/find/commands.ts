import { useMantineColorScheme } from '@mantine/core'
import {
  IconBolt,
  IconChartPie,
  IconClock,
  IconDeviceDesktop,
  IconDownload,
  IconLogout,
  IconMoon,
  IconPlus,
  IconSun,
  IconUpload,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react'

import { offers } from '../../api/index.ts'
import { links } from '../../domain/links.ts'
import { useDenied, useSession } from '../../auth/use-session.ts'
import { findText, shellText } from '../../messages/index.ts'
import { localZone, type Zones } from '../../ui/time.ts'
import type { Option } from './option.ts'

export interface Commanded {
  readonly zone: Zones['shown']
  readonly onZone: (zone: Zones['shown']) => void
}

/** Switching them off for the change of colours is done by a `<style>`, which the page's policy forbids. */
const keepTransitions = { keepTransitions: true }

const schemeIcons = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop }

/** Pages and actions, those too that the caller may not use. What is the case already is no action. */
export function useCommands({ zone, onZone }: Commanded): readonly Option[] {
  const session = useSession()
  const { colorScheme, setColorScheme } = useMantineColorScheme(keepTransitions)
  const { words } = findText
  const denied = {
    users: useDenied('users:read'),
    segments: useDenied('segments:read'),
    events: useDenied('events:read'),
    write: useDenied('users:write'),
    newSegment: useDenied('segments:write'),
    webhooks: useDenied('webhooks:manage'),
  }
  const otherZone = zone === 'utc' ? 'local' : 'utc'
  const { users, segments, events, webhooks, newUser, newSegment, newWebhook, exportUsers, importUsers } =
    shellText.pages
  return [
    { ...page('users', users, links.users()), icon: IconUsers, denied: denied.users },
    { ...page('segments', segments, links.segments()), icon: IconChartPie, denied: denied.segments },
    { ...page('events', events, links.events()), icon: IconBolt, denied: denied.events },
    ...(offers('webhooks')
      ? [{ ...page('webhooks', webhooks, links.webhooks()), icon: IconWebhook, denied: denied.webhooks }]
      : []),
    {
      id: 'new user',
      icon: IconPlus,
      label: newUser,
      words: words.create,
      to: links.newUser(),
      denied: denied.write,
    },
    {
      id: 'new segment',
      icon: IconPlus,
      label: newSegment,
      words: words.create,
      to: links.newSegment(),
      denied: denied.newSegment,
    },
    ...(offers('webhooks')
      ? [
          {
            id: 'new webhook',
            icon: IconPlus,
            label: newWebhook,
            words: words.create,
            to: links.newWebhook(),
            denied: denied.webhooks,
          },
        ]
      : []),
    {
      id: 'export',
      icon: IconDownload,
      label: exportUsers,
      words: words.exportUsers,
      to: links.exportUsers(),
      denied: denied.users,
    },
    {
      id: 'import',
      icon: IconUpload,
      label: importUsers,
      words: words.importUsers,
      to: links.importUsers(),
      denied: denied.write,
    },
    ...(['light', 'dark', 'auto'] as const)
      .filter((scheme) => scheme !== colorScheme)
      .map((scheme) => ({
        id: `scheme ${scheme}`,
        icon: schemeIcons[scheme],
        label: findText.scheme[scheme],
        words: words.scheme,
        run: () => setColorScheme(scheme),
      })),
    {
      id: `zone ${otherZone}`,
      icon: IconClock,
      label: otherZone === 'utc' ? findText.zone.utc : findText.zone.local(localZone()),
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

function page(name: 'users' | 'segments' | 'events' | 'webhooks', label: string, to: string) {
  return { id: `page ${name}`, label, to, words: findText.words[name] }
}
