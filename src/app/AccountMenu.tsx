import { Button, Menu } from '@mantine/core'
import { IconCheck, IconChevronDown, IconKeyboard, IconLogout, IconUser } from '@tabler/icons-react'

import { usePerson, useSession } from '../auth/use-session.ts'
import { shellText } from '../messages/index.ts'
import { useColorScheme } from '../ui/color-scheme.ts'
import { KeyHint } from '../ui/keys/KeyHint.tsx'
import { localZone, type ZoneChoice } from '../ui/time.ts'
import { showKeys } from './keys/Keys.tsx'
import classes from './Shell.module.css'

/** Button that says who is signed in, with the choices of how the console looks, its keys and the sign-out. */
export function AccountMenu({ zone, onZone }: ZoneChoice) {
  const { colorScheme, setColorScheme } = useColorScheme()
  const session = useSession()
  const { name, role } = usePerson()
  const roleName = role && shellText.roles[role]
  return (
    <Menu position="bottom-end" width={220} checkIcon={<IconCheck size={15} />}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          className={classes.account ?? ''}
          leftSection={<IconUser size={16} stroke={1.75} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          <span className={classes.accountText}>
            <span className="ds-visually-hidden">{shellText.accountBefore} </span>
            <span className={classes.accountName}>{name ?? shellText.roleUnknown}</span>{' '}
            {roleName !== undefined && roleName !== name && (
              <span className={classes.accountRole}>{roleName}</span>
            )}
          </span>
        </Button>
      </Menu.Target>
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
          {shellText.keys}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={15} />} onClick={() => void session.signOut()}>
          {shellText.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
