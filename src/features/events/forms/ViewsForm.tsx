import { Button, Group, Stack, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'

import { eventLogText } from '../../../messages/index.ts'
import { FormPopover, type FormPopoverProps } from '../../../ui/FormPopover.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { type EventFilter, isFiltered } from '../log/filter.ts'
import { afterSubmit } from '../../../ui/moments.tsx'
import { useViews } from './views.ts'

const viewsText = eventLogText.views

export interface ViewsFormProps {
  readonly face: FormPopoverProps['face']
  readonly filter: EventFilter
  readonly onChange: (filter: EventFilter) => void
}

/** Saved filters: choose or delete one, or save the current filter. */
export function ViewsForm({ face, filter, onChange }: ViewsFormProps) {
  return (
    <FormPopover face={face} widthPx={320}>
      {(close) => (
        <Views
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

function Views({ filter, onChange }: Omit<ViewsFormProps, 'face'>) {
  const { views, save, remove } = useViews()
  const [name, setName] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const box = useRef<HTMLDivElement>(null)
  return (
    <Stack ref={box} gap="sm" tabIndex={-1}>
      {views.length === 0 ? (
        <p className="ds-dimmed">{viewsText.none}</p>
      ) : (
        <Stack component="ul" aria-label={viewsText.button} gap={2} m={0} p={0}>
          {views.map((view) => (
            <Group key={view.name} component="li" wrap="nowrap" gap={4} justify="space-between">
              <Button variant="subtle" justify="start" flex={1} miw={0} onClick={() => onChange(view.filter)}>
                <bdi>{view.name}</bdi>
              </Button>
              <IconButton
                size="small"
                aria-label={viewsText.remove(view.name)}
                onClick={() => {
                  remove?.(view.name)
                  // The button goes with its view.
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
              label={viewsText.name}
              value={name}
              maxLength={60}
              autoComplete="off"
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
            <Button type="submit">{viewsText.save}</Button>
          </Group>
        </form>
      ) : (
        <p className="ds-dimmed">{viewsText.filterFirst}</p>
      )}
    </Stack>
  )
}
