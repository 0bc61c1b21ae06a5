import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconArrowUp, IconBookmark, IconCalendarTime, IconX } from '@tabler/icons-react'
import { use, useRef, useState } from 'react'

import { useKept } from '../../domain/kept-for.ts'
import { links } from '../../domain/links.ts'
import { ExportButton, FilterButton, LogPopover } from '../../domain/log-page/LogButtons.tsx'
import { zoneName } from '../../domain/log-page/moments.ts'
import { MomentInput } from '../../domain/values/moment-fields.tsx'
import { jumpText, liveText, savedViewText } from '../../messages/index.ts'
import { Announced } from '../../ui/AnnouncedPart.tsx'
import { hint } from '../../ui/Hint.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { afterSubmit, dayMs, hourMs, momentOf, SpanPresets } from '../../ui/moments.tsx'
import { StateMark } from '../../ui/StateMark.tsx'
import { ZonesContext } from '../../ui/Timestamp.tsx'
import { type EventFilter, isFiltered, readEventFilter } from './log/filter.ts'
import type { LogView } from './log/use-event-log.ts'

const EventExport = lazyPart(async () => (await import('./forms/EventExport.tsx')).EventExport)
const EventFilterForm = lazyPart(async () => (await import('./forms/EventFilterForm.tsx')).EventFilterForm)
const actionIcon = { size: 15, stroke: 1.75, 'aria-hidden': true }

export function LogActions(view: LogView) {
  const { isFull, rows, filter, at, show } = view
  const { save } = useSavedViews()
  // Without a filter left, the list is that of the page's link again.
  const showFiltered = (next: EventFilter) => show(next, isFiltered(next) ? at : undefined)
  return (
    <>
      {isFull && (
        <>
          <FilterButton code={EventFilterForm} onChange={showFiltered}>
            {(onChange) => <EventFilterForm {...view} onChange={onChange} />}
          </FilterButton>
          {save && (
            <LogPopover
              icon={IconBookmark}
              label={savedViewText.button}
              face={{ 'data-small': true, ...hint(savedViewText.hint) }}
              widthPx={320}
              onChange={showFiltered}
            >
              {(onChange) => <SavedViews filter={filter} onChange={onChange} />}
            </LogPopover>
          )}
          <LogPopover
            icon={IconCalendarTime}
            label={jumpText.button}
            widthPx={340}
            onChange={(moment: string) => show(filter, moment)}
          >
            {(onJump) => <JumpForm onJump={onJump} />}
          </LogPopover>
        </>
      )}
      <ExportButton code={EventExport} disabled={rows.length === 0}>
        {(close) => <EventExport {...view} onClose={close} />}
      </ExportButton>
      <Live {...view} />
    </>
  )
}

/** Tells whether new events are announced, or leads to them from a list that does not reach the end of the log. */
function Live({ query, news, showNewest }: LogView) {
  if (query.hasPreviousPage)
    return (
      <Button
        variant="light"
        leftSection={<IconArrowUp {...actionIcon} />}
        onClick={() => void showNewest()}
        {...hint(liveText.newestHint)}
      >
        {liveText.newest}
      </Button>
    )
  if (!news.isFollowed) return null
  return (
    <Text
      span
      size="sm"
      tabIndex={0}
      style={{ alignSelf: 'center' }}
      {...hint(news.isFailing ? liveText.failingHint : liveText.onHint)}
    >
      <StateMark tone={news.isFailing ? 'warning' : 'success'}>
        <Announced>{news.isFailing ? liveText.failing : liveText.on}</Announced>
      </StateMark>
    </Text>
  )
}

function JumpForm({ onJump }: { readonly onJump: (moment: string) => void }) {
  const { shown } = use(ZonesContext)
  const [value, setValue] = useState('')
  const [isWrong, setWrong] = useState(false)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const moment = momentOf(value, shown)
        setWrong(moment === undefined)
        if (moment !== undefined) afterSubmit(() => onJump(moment))
      }}
    >
      <Stack gap="sm">
        <MomentInput
          label={jumpText.label({ zone: zoneName(shown) })}
          value={value}
          error={isWrong && jumpText.missing}
          onChange={setValue}
        />
        <SpanPresets
          label={jumpText.presets}
          presets={[
            [jumpText.hourAgo, hourMs],
            [jumpText.dayAgo, dayMs],
            [jumpText.weekAgo, 7 * dayMs],
            [jumpText.monthAgo, 30 * dayMs],
          ]}
          onChoose={(ms) => onJump(new Date(Date.now() - ms).toISOString())}
        />
        <Button type="submit" ms="auto">
          {jumpText.go}
        </Button>
      </Stack>
    </form>
  )
}

interface SavedViewsProps {
  readonly filter: EventFilter
  readonly onChange: (filter: EventFilter) => void
}

function SavedViews({ filter, onChange }: SavedViewsProps) {
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
      {filter.actor !== undefined && <p className="ds-dimmed">{savedViewText.withoutActor}</p>}
      {isFiltered({ ...filter, actor: undefined }) ? (
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

// Storage key. The stored views contain names chosen by the person, codes of filters, ids and moments; no actor, who may
// be a colleague.
const savedViewsKey = 'data-store.event-views'
/** Maximum number of saved views; saving one more replaces the oldest. */
const mostViews = 30

/** Returns the views that this person saved in this browser. Without storage, `save` and `remove` are undefined. */
function useSavedViews() {
  const { kept, keep } = useKept(savedViewsKey)
  const views = kept.flatMap(readSavedView).toSorted((a, b) => a.name.localeCompare(b.name))
  const othersThan = (before: readonly unknown[], name: string) =>
    before.filter((each) => readSavedView(each)[0]?.name !== name)
  return {
    views,
    save:
      keep &&
      ((name: string, filter: EventFilter) => {
        const { search } = new URL(links.events({ ...filter, actor: undefined }), 'http://console.invalid')
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
