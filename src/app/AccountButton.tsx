import { Button, type ButtonProps, type ElementProps } from '@mantine/core'
import { IconChevronDown, IconUser } from '@tabler/icons-react'

import { usePerson } from '../auth/use-session.ts'
import { shellText } from '../messages/index.ts'
import { earlyPart } from '../ui/lazy-part.tsx'
import { OpeningButton } from '../ui/OpeningButton.tsx'
import type { AccountProps } from './AccountMenu.tsx'
import classes from './Shell.module.css'

const AccountMenu = earlyPart(async () => (await import('./AccountMenu.tsx')).AccountMenu)

export function AccountButton(props: AccountProps) {
  const { name, role } = usePerson()
  const roleName = role && shellText.roles[role]
  const face = (
    <AccountFace>
      <span className={classes.accountName}>{name ?? shellText.roleUnknown}</span>{' '}
      {roleName !== undefined && roleName !== name && <span className={classes.accountRole}>{roleName}</span>}
    </AccountFace>
  )
  return <OpeningButton face={face} opens="menu" part={AccountMenu} props={props} />
}

function AccountFace({
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
      {...props}
    >
      <span className={classes.accountText}>
        <span className="ds-visually-hidden">{shellText.account} </span>
        {children}
      </span>
    </Button>
  )
}
