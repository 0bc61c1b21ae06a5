import { Button } from '@mantine/core'
import { IconColumns3, IconPlus } from '@tabler/icons-react'
import { lazy, type ReactNode, type Ref, Suspense, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'

import { links } from '../../domain/links.ts'
import { useDenied } from '../../auth/use-session.ts'
import { users as text } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { hint } from '../../ui/Hint.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import type { ListPreferences } from './list-preferences.ts'
import type { UserSource } from '../../domain/user-list/user-pages.ts'
import { SegmentPicker } from '../../domain/segments/SegmentPicker.tsx'
import { TransferButtons } from './TransferButtons.tsx'
import classes from './UsersPage.module.css'
import { IconButton } from '../../ui/IconButton.tsx'

// It comes when it is reached for: the menu positions itself, which weighs more than the page around it.
const loadMenu = () => import('./ColumnMenu.tsx')
const ColumnMenu = lazy(async () => ({ default: (await loadMenu()).ColumnMenu }))

export interface UsersFrameProps {
  readonly segment: string
  /** The users below: what there is to export. */
  readonly source: UserSource
  /** Absent where there is nothing to search. */
  readonly search?: ReactNode
  /** How many users there are, or were found. */
  readonly count?: ReactNode
  /** Absent where there are no rows. */
  readonly preferences?: ListPreferences
  readonly onPreferences?: (preferences: ListPreferences) => void
  readonly children: ReactNode
}

/** What stands above the rows, and stays when there are none. */
export function UsersFrame(props: UsersFrameProps) {
  const { segment, source, search, count, preferences, onPreferences, children } = props
  const navigate = useNavigate()
  const { key } = useLocation()
  return (
    <>
      <PageHeader
        title={text.title}
        actions={
          <>
            <TransferButtons segment={segment} source={source} />
            <NewUserButton />
          </>
        }
      />
      <div className={classes.toolbar}>
        <SegmentPicker
          value={segment}
          onChange={(next) => {
            // What is searched for goes along.
            if (next !== segment) void navigate(links.users({ segment: next }), { state: { listEntry: key } })
          }}
        />
        {search}
        <div className={classes.total}>
          <span aria-live="polite">{count}</span>
          {preferences && onPreferences && <Columns preferences={preferences} onChange={onPreferences} />}
        </div>
      </div>
      {children}
    </>
  )
}

export interface ColumnsProps {
  readonly preferences: ListPreferences
  readonly onChange: (preferences: ListPreferences) => void
}

function Columns(props: ColumnsProps) {
  const [wanted, setWanted] = useState(false)
  const fetchAhead = () => void loadMenu().catch(() => undefined)
  return wanted ? (
    // Its hint would stay over the menu.
    <Suspense fallback={<ColumnsFace data-hint={undefined} />}>
      <ColumnMenu {...props} />
    </Suspense>
  ) : (
    <ColumnsFace onClick={() => setWanted(true)} onPointerEnter={fetchAhead} onFocus={fetchAhead} />
  )
}

export function ColumnsFace(
  props: Omit<React.ComponentProps<'button'>, 'color' | 'disabled'> & {
    ref?: Ref<HTMLButtonElement>
    'data-hint'?: undefined
  },
) {
  return (
    <IconButton
      {...props}
      bordered
      size="large"
      aria-haspopup="menu"
      aria-label={text.chooseColumns}
      {...hint(text.chooseColumns)}
    >
      <IconColumns3 size={16} />
    </IconButton>
  )
}

export function NewUserButton() {
  const denied = useDenied('users:write')
  return (
    <DisabledReason reason={denied}>
      <Button component={Link} to={links.newUser()} leftSection={<IconPlus size={15} />}>
        {text.create.action}
      </Button>
    </DisabledReason>
  )
}
