import { Button, Group, Paper } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'

import type { User } from '#contract/index.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { links } from '../../../domain/links.ts'
import { recallSelection, rememberSelection } from '../../../domain/user-list/list-state.ts'
import { selectionText } from '../../../messages/index.ts'
import { DisabledReason } from '../../../ui/DisabledReason.tsx'
import { hint } from '../../../ui/Hint.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import type { UserListView } from '../use-user-list.ts'
import classes from './Selection.module.css'

export interface SelectionBarProps {
  readonly view: UserListView
  readonly selection: Selection
  readonly onClear: () => void
}

const small = { size: 'compact-sm', variant: 'default' } as const
const quiet = { size: 'compact-sm', variant: 'subtle' } as const

/** Actions on the selected users. The bar stays visible on every page of the list. */
export function SelectionBar({ view, selection, onClear }: SelectionBarProps) {
  const { rows, matching, isFull } = view
  const { ids, add, clear } = selection
  const { key } = useLocation()
  const denied = useDenied('users:read', 'entities:read', 'entities:write')
  const shown = rows.filter(({ id }) => ids.has(id)).length
  const [selected, elsewhere] = [ids.size, ids.size - shown]
  const summary =
    elsewhere === 0
      ? selectionText.summary({ selected })
      : selectionText.summaryElsewhere({ selected, elsewhere })
  const chosen = { ids: [...ids] }
  return (
    <>
      <output className="ds-visually-hidden">{selected > 0 && summary}</output>
      {selected > 0 && (
        <Paper
          withBorder
          shadow="md"
          component="section"
          aria-label={selectionText.label}
          className={classes.bar ?? ''}
        >
          <Group gap="6px 8px">
            <span aria-hidden className={classes.count}>
              {summary}
            </span>
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
            <Button
              {...small}
              component={Link}
              to={links.exportUsers()}
              state={{ ...chosen, isSearch: true }}
            >
              {selectionText.export}
            </Button>
            {isFull && (
              <>
                <DisabledReason reason={denied}>
                  <Button {...small} component={Link} to={links.batch()} state={chosen}>
                    {selectionText.set}
                  </Button>
                </DisabledReason>
                {matching !== undefined && matching > selected && denied === undefined && (
                  <Button {...quiet} component={Link} to={links.batch()} state={{ listEntry: key }}>
                    {selectionText.setAll({ count: matching })}
                  </Button>
                )}
              </>
            )}
          </Group>
        </Paper>
      )}
    </>
  )
}

export type Selection = ReturnType<typeof useSelection>

/**
 * Returns the users selected for an export or a bulk change, across pages and searches of the list. They stay in memory
 * until the page is reloaded, so that returning from a user finds them unchanged.
 */
export function useSelection(rows: readonly User[]) {
  const client = useQueryClient()
  const [ids, setIds] = useState(() => recallSelection(client))
  useEffect(() => rememberSelection(client, ids), [client, ids])
  const last = useRef<string>(undefined)
  return {
    ids,
    /** Toggles a user. `reach` includes all users between this one and the one toggled last. */
    toggle: (id: string, reach: boolean) => {
      const [from, to] = [last.current, id].map((each) => rows.findIndex((row) => row.id === each))
      const isReached = reach && from !== undefined && to !== undefined && from !== -1
      const span = isReached ? rows.slice(Math.min(from, to), Math.max(from, to) + 1) : [{ id }]
      const next = new Set(ids)
      for (const each of span)
        if (ids.has(id)) next.delete(each.id)
        else next.add(each.id)
      last.current = id
      setIds(next)
    },
    add: (more: readonly string[]) => {
      last.current = more.at(-1)
      setIds(new Set([...ids, ...more]))
    },
    clear: () => setIds(new Set()),
  }
}
