import { Button, Group, Paper } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { Link, useLocation } from 'react-router'

import { useDenied } from '../../../auth/use-session.ts'
import { links } from '../../../domain/links.ts'
import { selectionText } from '../../../messages/index.ts'
import { DisabledReason } from '../../../ui/DisabledReason.tsx'
import { hint } from '../../../ui/Hint.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import type { UserListView } from '../use-user-list.ts'
import classes from './Selection.module.css'
import type { Selection } from './use-selection.ts'

export interface SelectionBarProps {
  readonly view: UserListView
  readonly selection: Selection
  readonly onClear: () => void
}

/** Actions on the selected users. The bar stays visible on every page of the list. */
export function SelectionBar({ view, selection, onClear }: SelectionBarProps) {
  const { rows, matching } = view
  const { ids, add, clear } = selection
  const { key } = useLocation()
  const denied = useDenied('users:read', 'entities:read', 'entities:write')
  const shown = rows.filter(({ id }) => ids.has(id)).length
  const summary = describeSelection(ids.size, ids.size - shown)
  const chosen = { ids: [...ids] }
  return (
    <>
      <output className="ds-visually-hidden">{ids.size > 0 && summary}</output>
      {ids.size > 0 && (
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
              <Button size="compact-sm" variant="subtle" onClick={() => add(rows.map(({ id }) => id))}>
                {selectionText.page}
              </Button>
            )}
            <Button
              size="compact-sm"
              variant="default"
              component={Link}
              to={links.exportUsers()}
              state={{ ...chosen, isSearch: true }}
            >
              {selectionText.export}
            </Button>
            {view.isFull && (
              <>
                <DisabledReason reason={denied}>
                  <Button
                    size="compact-sm"
                    variant="default"
                    component={Link}
                    to={links.batch()}
                    state={chosen}
                  >
                    {selectionText.set}
                  </Button>
                </DisabledReason>
                {matching !== undefined && matching > ids.size && denied === undefined && (
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    component={Link}
                    to={links.batch()}
                    state={{ listEntry: key }}
                  >
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

/** @param elsewhere Number of selected users on other pages. */
function describeSelection(selected: number, elsewhere: number): string {
  return elsewhere === 0
    ? selectionText.summary({ selected })
    : selectionText.summaryElsewhere({ selected, elsewhere })
}
