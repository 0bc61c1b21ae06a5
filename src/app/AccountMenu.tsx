import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'

import { Menu, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconLogout } from '@tabler/icons-react'

import { useSession } from '../auth/use-session.ts'
import { shell } from '../messages/index.ts'
import { localZone } from '../ui/time.ts'
import { AccountFace, type AccountProps } from './AccountButton.tsx'

/** Switching them off for the change of colours is done by a `<style>`, which the page's policy forbids. */
const keepTransitions = { keepTransitions: true }

/** Colour scheme, time zone, sign out. Mounted by the click that wants it, so it opens at once. */
export function AccountMenu({ zone, onZone }: AccountProps) {
  const { colorScheme, setColorScheme } = useMantineColorScheme(keepTransitions)
  const session = useSession()
  return (
    <Menu
      defaultOpened
      returnFocus
      position="bottom-end"
      width={220}
      // Inside the header, which is a landmark; and the first item has the focus, without a stop of its own before it.
      withinPortal={false}
      withInitialFocusPlaceholder={false}
      checkIcon={<IconCheck size={15} />}
    >
      <Menu.Target>
        <AccountFace />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(scheme) => setColorScheme(scheme as typeof colorScheme)}
        >
          <Menu.Label>{shell.scheme.label}</Menu.Label>
          {(['light', 'dark', 'auto'] as const).map((scheme) => (
            <Menu.RadioItem key={scheme} value={scheme}>
              {shell.scheme[scheme]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.RadioGroup value={zone} onChange={(next) => onZone(next === 'local' ? 'local' : 'utc')}>
          <Menu.Label>{shell.zone.label}</Menu.Label>
          <Menu.RadioItem value="utc">{shell.zone.utc}</Menu.RadioItem>
          <Menu.RadioItem value="local">{shell.zone.local(localZone())}</Menu.RadioItem>
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={15} />} onClick={() => void session.signOut()}>
          {shell.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
