import { Menu } from '@mantine/core'
import { IconCheck, IconKeyboard, IconLogout } from '@tabler/icons-react'

import { useSession } from '../auth/use-session.ts'
import { keysText, shellText } from '../messages/index.ts'
import { useColorScheme } from '../ui/color-scheme.ts'
import { KeyHint } from '../ui/keys/KeyHint.tsx'
import type { OpenedProps } from '../ui/OpeningButton.tsx'
import { localZone, type Zones } from '../ui/time.ts'
import { showKeys } from './keys/Keys.tsx'

export interface ZoneChoice {
  readonly zone: Zones['shown']
  readonly onZone: (zone: Zones['shown']) => void
}

export function AccountMenu({ face, zone, onZone }: ZoneChoice & OpenedProps) {
  const { colorScheme, setColorScheme } = useColorScheme()
  const session = useSession()
  return (
    <Menu position="bottom-end" width={220} checkIcon={<IconCheck size={15} />}>
      <Menu.Target>{face}</Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(scheme) => setColorScheme(scheme as typeof colorScheme)}
        >
          <Menu.Label>{shellText.scheme.label}</Menu.Label>
          {(['light', 'dark', 'auto'] as const).map((scheme) => (
            <Menu.RadioItem key={scheme} value={scheme}>
              {shellText.scheme[scheme]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.RadioGroup value={zone} onChange={(next) => onZone(next === 'local' ? 'local' : 'utc')}>
          <Menu.Label>{shellText.zone.label}</Menu.Label>
          <Menu.RadioItem value="utc">{shellText.zone.utc}</Menu.RadioItem>
          <Menu.RadioItem value="local">{shellText.zone.local({ zone: localZone() })}</Menu.RadioItem>
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconKeyboard size={15} />}
          rightSection={<KeyHint shortcut="?" />}
          onClick={() => document.dispatchEvent(new Event(showKeys))}
        >
          {keysText.title}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={15} />} onClick={() => void session.signOut()}>
          {shellText.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
