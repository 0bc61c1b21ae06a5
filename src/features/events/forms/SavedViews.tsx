import { Button, Group, Stack, TextInput } from '@mantine/core'
import { IconBookmark, IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'

import { useKept } from '../../../domain/kept-for.ts'
import { links } from '../../../domain/links.ts'
import { savedViewText } from '../../../messages/index.ts'
import { FormPopover } from '../../../ui/FormPopover.tsx'
import { hint } from '../../../ui/Hint.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { afterSubmit } from '../../../ui/moments.tsx'
import { type EventFilter, isFiltered, readEventFilter, toParameters } from '../log/filter.ts'

export interface SavedViewsProps {
  readonly filter: EventFilter
  readonly onChange: (filter: EventFilter) => void
}

export function SavedViews({ filter, onChange }: SavedViewsProps) {
  return (
    <FormPopover
      face={
        <Button
          variant="default"
          leftSection={<IconBookmark size={15} stroke={1.75} aria-hidden />}
          data-small
          {...hint(savedViewText.hint)}
        >
          {savedViewText.button}
        </Button>
      }
      widthPx={320}
    >
      {(close) => (
        <SavedViewList
          filter={filter}
          onChange={(next) => {
            close()
            onChange(next)
          }}
        />
      )}
    </FormPopover>
  )
}

function SavedViewList({ filter, onChange }: SavedViewsProps) {
  const { views, save, remove } = useSavedViews()
  const [name, setName] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const box = useRef<HTMLDivElement>(null)
  return (
    <Stack ref={box} gap="sm" tabIndex={-1}>
      {views.length === 0 ? (
        <p className="ds-dimmed">{savedViewText.none}</p>
      ) : (
        <Stack component="ul" aria-label={savedViewText.button} gap={2} m={0} p={0}>
          {views.map((view) => (
            <Group key={view.name} component="li" wrap="nowrap" gap={4} justify="space-between">
              <Button variant="subtle" justify="start" flex={1} miw={0} onClick={() => onChange(view.filter)}>
                <bdi>{view.name}</bdi>
              </Button>
              <IconButton
                size="small"
                aria-label={savedViewText.remove({ name: view.name })}
                onClick={() => {
                  remove?.(view.name)
                  // The pressed button is removed together with its view.
                  ;(input.current ?? box.current)?.focus()
                }}
              >
                <IconX size={13} />
              </IconButton>
            </Group>
          ))}
        </Stack>
      )}
      {isFiltered(filter) ? (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const given = name.trim()
            if (given === '') return input.current?.focus()
            afterSubmit(() => {
              save?.(given, filter)
              setName('')
            })
            return undefined
          }}
        >
          <Group align="end" gap="xs" wrap="nowrap">
            <TextInput
              ref={input}
              flex={1}
              label={savedViewText.name}
              value={name}
              maxLength={60}
              autoComplete="off"
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
            <Button type="submit">{savedViewText.save}</Button>
          </Group>
        </form>
      ) : (
        <p className="ds-dimmed">{savedViewText.filterFirst}</p>
      )}
    </Stack>
  )
}

// Storage key. The stored views contain names chosen by the owner, codes, ids and moments.
const savedViewsKey = 'data-store.event-views'
/** Maximum number of saved views; saving one more replaces the oldest. */
const mostViews = 30

/**
 * Returns the views this person saved in this browser, by name. `save` and `remove` are undefined if storage is
 * unavailable.
 */
export function useSavedViews() {
  const { kept, keep } = useKept(savedViewsKey)
  const views = kept.flatMap(readSavedView).toSorted((a, b) => a.name.localeCompare(b.name))
  const othersThan = (before: readonly unknown[], name: string) =>
    before.filter((each) => readSavedView(each)[0]?.name !== name)
  return {
    views,
    /** Saves a view, replacing one of the same name. */
    save:
      keep &&
      ((name: string, filter: EventFilter) => {
        const { search } = new URL(links.events(toParameters(filter)), 'http://console.invalid')
        keep((before) => [{ name, search }, ...othersThan(before, name)].slice(0, mostViews))
      }),
    remove: keep && ((name: string) => keep((before) => othersThan(before, name))),
  }
}

/** Reads a stored view; returns none if the stored value is malformed. */
function readSavedView(stored: unknown) {
  const { name, search } = (stored ?? {}) as Record<string, unknown>
  if (typeof name !== 'string' || name === '' || typeof search !== 'string') return []
  return [{ name, filter: readEventFilter(new URLSearchParams(search)) }]
}
