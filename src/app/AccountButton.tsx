import { Button, type ButtonProps, type ElementProps, Menu, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconChevronDown, IconKeyboard, IconLogout, IconUser } from '@tabler/icons-react'

import { usePerson, useSession } from '../auth/use-session.ts'
import { keysText, shellText } from '../messages/index.ts'
import { KeyHint } from '../ui/KeyHint.tsx'
import { localZone, type Zones } from '../ui/time.ts'
import { showKeys } from './keys/Keys.tsx'
import classes from './Shell.module.css'

export interface AccountProps {
  readonly zone: Zones['shown']
  readonly onZone: (zone: Zones['shown']) => void
}

/** Switching them off for the change of colours is done by a `<style>`, which the page's policy forbids. */
const keepTransitions = { keepTransitions: true }

/** Button with the name and role of the signed-in person, and its menu. */
export function AccountButton(props: AccountProps) {
  const { name, role } = usePerson()
  const roleName = role && shellText.roles[role]
  return (
    <Menu position="bottom-end" width={220} checkIcon={<IconCheck size={15} />}>
      <Menu.Target>
        <AccountFace>
          <span className={classes.accountName}>{name ?? shellText.roleUnknown}</span>{' '}
          {roleName !== undefined && roleName !== name && (
            <span className={classes.accountRole}>{roleName}</span>
          )}
        </AccountFace>
      </Menu.Target>
      <Menu.Dropdown>
        <AccountItems {...props} />
      </Menu.Dropdown>
    </Menu>
  )
}

/** Colour scheme, time zone, sign out. */
function AccountItems({ zone, onZone }: AccountProps) {
  const { colorScheme, setColorScheme } = useMantineColorScheme(keepTransitions)
  const session = useSession()
  return (
    <>
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
        <Menu.RadioItem value="local">{shellText.zone.local(localZone())}</Menu.RadioItem>
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
    </>
  )
}

/** The button before its menu. */
export function AccountFace({
  className,
  children,
  ...props
}: ButtonProps & ElementProps<'button', keyof ButtonProps>) {
  return (
    <Button
      variant="subtle"
      color="gray"
      className={`${classes.account} ${className ?? ''}`}
      leftSection={<IconUser size={16} stroke={1.75} aria-hidden />}
      rightSection={<IconChevronDown size={14} aria-hidden />}
      aria-haspopup="menu"
      {...props}
    >
      <span className={classes.accountText}>
        <span className="ds-visually-hidden">{shellText.account} </span>
        {children}
      </span>
    </Button>
  )
}
