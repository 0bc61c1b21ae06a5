import { UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconUser } from '@tabler/icons-react'
import { lazy, type Ref, Suspense, useState } from 'react'

import { usePerson } from '../auth/use-session.ts'
import { shell } from '../messages/index.ts'
import type { Zones } from '../ui/time.ts'
import classes from './Shell.module.css'

export interface AccountProps {
  readonly zone: Zones['shown']
  readonly onZone: (zone: Zones['shown']) => void
}

// The menu weighs more than the rest of the shell (it positions itself), so it comes when it is reached for.
const loadMenu = () => import('./AccountMenu.tsx')
const AccountMenu = lazy(async () => ({ default: (await loadMenu()).AccountMenu }))

/** Who is signed in, and the menu below it. */
export function AccountButton(props: AccountProps) {
  const [wanted, setWanted] = useState(false)
  const fetchAhead = () => void loadMenu().catch(() => undefined)
  const face = (
    <AccountFace onClick={() => setWanted(true)} onPointerEnter={fetchAhead} onFocus={fetchAhead} />
  )
  return wanted ? (
    <Suspense fallback={face}>
      <AccountMenu {...props} />
    </Suspense>
  ) : (
    face
  )
}

export function AccountFace({
  ref,
  className,
  ...props
}: React.ComponentProps<'button'> & { ref?: Ref<HTMLButtonElement> }) {
  const { name, role } = usePerson()
  const roleName = role && shell.roles[role]
  return (
    <UnstyledButton
      ref={ref}
      className={`${classes.account} ${className ?? ''}`}
      aria-haspopup="menu"
      {...props}
    >
      <IconUser size={16} stroke={1.75} aria-hidden />
      <span className={classes.accountText}>
        <span className="ds-visually-hidden">{shell.account} </span>
        <span className={classes.accountName}>{name ?? shell.roleUnknown}</span>{' '}
        {roleName !== undefined && roleName !== name && (
          <span className={classes.accountRole}>{roleName}</span>
        )}
      </span>
      <IconChevronDown size={14} aria-hidden />
    </UnstyledButton>
  )
}
