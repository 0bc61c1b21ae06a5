import {
  type Icon,
  IconClock,
  IconDeviceDesktop,
  IconDownload,
  IconLogout,
  IconMoon,
  IconPlus,
  IconSun,
  IconTrash,
  IconUpload,
  IconUsers,
} from '@tabler/icons-react'

import { hasPage, links } from '../../domain/links.ts'
import { useDenial, useSession } from '../../auth/use-session.ts'
import type { Scope } from '#contract/index.ts'
import { type Area, areas } from '../../auth/areas.ts'
import { findText, shellText } from '../../messages/index.ts'
import { localZone, type Zones } from '../../ui/time.ts'
import { useColorScheme } from '../../ui/color-scheme.ts'
import { areaIcons } from '../Navigation.tsx'
import type { Option } from './option.ts'

export interface Commanded {
  readonly zone: Zones['shown']
  readonly onZone: (zone: Zones['shown']) => void
}

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

/** Returns pages and actions, also those that the caller may not use. Actions already in effect are left out. */
export function useCommands({ zone, onZone }: Commanded): readonly Option[] {
  const session = useSession()
  const { colorScheme, setColorScheme } = useColorScheme()
  const denied = useDenial()
  const otherZone = zone === 'utc' ? 'local' : 'utc'
  const { words } = findText
  const leads = (
    icon: Icon,
    page: LedPage,
    found: keyof typeof words,
    needed: readonly Scope[],
    shortcut?: string,
  ): readonly Option[] => {
    if (!hasPage(page)) return []
    const to = links[page]()
    const label = shellText.pages[page]
    return [{ id: `page ${to}`, icon, label, to, words: words[found], denied: denied(...needed), shortcut }]
  }
  return [
    ...areas.flatMap(({ path, scope }) =>
      leads(areaIcons[path], path, path, scope === undefined ? [] : [scope], `g ${path.charAt(0)}`),
    ),
    ...leads(IconPlus, 'newUser', 'create', ['users:write']),
    ...leads(IconPlus, 'newSegment', 'create', ['segments:write']),
    ...leads(IconPlus, 'newWebhook', 'create', ['webhooks:manage']),
    ...leads(IconDownload, 'exportUsers', 'exportUsers', ['users:read']),
    ...leads(IconUpload, 'importUsers', 'importUsers', ['users:write']),
    ...leads(IconUsers, 'batch', 'batch', ['users:read', 'entities:read', 'entities:write']),
    ...leads(IconTrash, 'deletedUsers', 'deletedUsers', ['users:read']),
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
