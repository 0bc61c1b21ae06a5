import { Button, Checkbox, CheckIcon, Group, Paper, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type ComponentProps, useState } from 'react'
import { Link } from 'react-router'

import type { User } from '#contract/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { links } from '../../domain/links.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import { audienceOf } from '../../domain/user-list/list-state.ts'
import type { Selection } from '../../domain/user-list/selection.ts'
import type { ListStore } from '../../domain/user-list/use-list-state.ts'
import { deleteUsersText, selectionText, userText } from '../../messages/index.ts'
import { useAnnounced } from '../../ui/announced.tsx'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { hint } from '../../ui/Hint.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import type { UserRows } from './use-user-rows.ts'
import classes from './UsersPage.module.css'

const DeleteUsers = lazyPart(async () => (await import('../../domain/user-list/DeleteUsers.tsx')).DeleteUsers)

interface SelectionBarProps {
  readonly state: ListStore
  readonly found: UserRows
  readonly selection: Selection
  readonly onClear: () => void
}

const small = { size: 'compact-sm', variant: 'default' } as const
const quiet = { size: 'compact-sm', variant: 'subtle' } as const

/** Actions on the selected users. The bar stays visible on every page of the list. */
export function SelectionBar({ state, found, selection, onClear }: SelectionBarProps) {
  const { rows } = found
  const { ids, add, clear } = selection
  const shown = rows.filter(({ id }) => ids.has(id)).length
  const [selected, elsewhere] = [ids.size, ids.size - shown]
  const summary =
    elsewhere === 0
      ? selectionText.summary({ selected })
      : selectionText.summaryElsewhere({ selected, elsewhere })
  useAnnounced(selected > 0 ? summary : undefined)
  return (
    <>
      {selected > 0 && (
        <Paper
          withBorder
          shadow="md"
          component="section"
          aria-label={selectionText.label}
          className={classes.bar ?? ''}
        >
          <Group gap="6px 8px">
            <Text span aria-hidden size="sm" fw={500} style={{ fontVariantNumeric: 'tabular-nums' }}>
              {summary}
            </Text>
            <IconButton
              size="small"
              aria-label={selectionText.clear}
              {...hint(selectionText.clear)}
              onClick={() => {
                clear()
                onClear()
              }}
            >
              <IconX size={15} stroke={1.75} aria-hidden />
            </IconButton>
            {shown < rows.length && (
              <Button {...quiet} onClick={() => add(rows.map(({ id }) => id))}>
                {selectionText.page}
              </Button>
            )}
            {state.isFull && <SelectionActions state={state} found={found} ids={[...ids]} />}
          </Group>
        </Paper>
      )}
    </>
  )
}

type Deletion = Pick<ComponentProps<typeof DeleteUsers>, 'target' | 'count'>

interface SelectionActionsProps extends Pick<SelectionBarProps, 'state' | 'found'> {
  readonly ids: readonly string[]
}

function SelectionActions({ state, found: { rows, answer }, ids }: SelectionActionsProps) {
  const denied = useDenied('users:read', 'entities:read', 'entities:write')
  const mayNotDelete = useDenied('users:read', 'users:delete')
  const [deleting, setDeleting] = useState<Deletion>()
  const ask = (deletion: Deletion) => DeleteUsers.whenReadTyping(() => setDeleting(deletion))
  const [chosen, selected] = [{ ids: [...ids] }, ids.length]
  const audience = audienceOf(state.list)
  /** Number of listed users, if a job can address them all. */
  const matching = rows.length > 0 && audience && answer?.atLeast !== true ? answer?.total : undefined
  return (
    <>
      {deleting && <DeleteUsers {...deleting} onClose={() => setDeleting(undefined)} />}
      <Button {...small} component={Link} to={links.exportUsers()} state={{ ...chosen, isSearch: true }}>
        {selectionText.export}
      </Button>
      <DisabledReason reason={denied}>
        <Button {...small} component={Link} to={links.batch()} state={chosen}>
          {selectionText.set}
        </Button>
      </DisabledReason>
      <DisabledReason reason={mayNotDelete}>
        <Button {...small} onClick={() => ask({ target: chosen, count: selected })}>
          {deleteUsersText.button({ count: selected })}
        </Button>
      </DisabledReason>
      {typeof matching === 'number' && matching > selected && denied === undefined && (
        <Button {...quiet} component={Link} to={links.batch()} state={{ listEntry: state.key }}>
          {selectionText.setAll({ count: matching })}
        </Button>
      )}
      {typeof matching === 'number' && matching > selected && audience && mayNotDelete === undefined && (
        <Button {...quiet} onClick={() => ask({ target: audience, count: matching })}>
          {deleteUsersText.all({ count: matching })}
        </Button>
      )}
    </>
  )
}

/** Classes of the component's parts, each with the name by which base.css marks it in forced colours. */
const boxClasses = {
  input: `mantine-Checkbox-input ${Checkbox.classes.input}`,
  icon: `mantine-Checkbox-icon ${Checkbox.classes.icon}`,
}

/**
 * Checkbox before the avatar. The keyboard selects from the row itself, so that Tab stops once per row. Only the looks
 * are Mantine's: 50 of its components delayed the first row by a fifth on a slow machine (docs/decisions/0015).
 */
export function SelectBox({ user, selection }: { readonly user: User; readonly selection: Selection }) {
  const { ids, toggle } = selection
  return (
    <span className={classes.select}>
      <span className={Checkbox.classes.inner}>
        <input
          type="checkbox"
          className={boxClasses.input}
          tabIndex={-1}
          aria-label={selectionText.select({ name: nameOf(user) ?? userText.noName })}
          checked={ids.has(user.id)}
          // Without this, Shift+click would select the text of the rows in between.
          onMouseDown={(event) => event.shiftKey && event.preventDefault()}
          onChange={({ nativeEvent }) =>
            toggle(user.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
          }
        />
        <CheckIcon className={boxClasses.icon} />
      </span>
    </span>
  )
}
