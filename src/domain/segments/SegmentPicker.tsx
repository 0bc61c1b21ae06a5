import { type ComboboxItem, Input } from '@mantine/core'
import { IconChartPie, IconChevronDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useRef, useState } from 'react'

import { useDenied } from '../../auth/use-session.ts'
import { userText } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { shortId } from '../../ui/ShortId.tsx'
import { segmentsQuery } from '../queries/segments.ts'
import classes from './SegmentPicker.module.css'

const SegmentSelect = lazyPart(async () => (await import('./SegmentSelect.tsx')).SegmentSelect)

export interface SegmentPickerProps {
  /** Id of the segment; `''` for all users. */
  readonly value: string
  readonly onChange: (segment: string) => void
}

export function SegmentPicker({ value, onChange }: SegmentPickerProps) {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const returnsFocus = useRef(false)
  useLayoutEffect(() => {
    if (!open && returnsFocus.current) button.current?.focus()
  }, [open])
  const denied = useDenied('segments:read')
  const { data, isLoading, isError, refetch } = useQuery({
    ...segmentsQuery(),
    enabled: denied === undefined,
  })
  const options: ComboboxItem[] = [
    { value: '', label: userText.segment.all },
    ...(data ?? []).map(({ id, name }) => ({
      value: id as string,
      label: name ?? userText.segment.nameless({ id: shortId(id) }),
    })),
  ]
  // A segment that is not in the list, such as a deleted one or any after a failure, is named by its id.
  const chosen = options.find((option) => option.value === value) ?? {
    value,
    label: userText.segment.nameless({ id: shortId(value) }),
  }
  const label = isLoading && value !== '' ? userText.segment.loading : chosen.label

  const face = (
    <DisabledReason reason={denied}>
      <Input
        component="button"
        ref={button}
        type="button"
        pointer
        leftSection={<IconChartPie size={15} aria-hidden />}
        rightSection={<IconChevronDown size={14} aria-hidden />}
        aria-haspopup="listbox"
        aria-label={userText.segment.chosen({ name: label })}
        onPointerEnter={SegmentSelect.prefetch}
        onFocus={SegmentSelect.prefetch}
        onClick={() => {
          // The select replaces this button and takes over its focus.
          SegmentSelect.whenReadTyping(() => setOpen(true))
          if (isError) void refetch()
        }}
      >
        <span className={classes.face}>{label}</span>
      </Input>
    </DisabledReason>
  )
  return (
    <div ref={root} className={classes.root}>
      {open ? (
        <SegmentSelect
          options={options.includes(chosen) ? options : [...options, chosen]}
          value={value}
          onChange={onChange}
          onClose={() => {
            // A list that is left for another element keeps the focus there.
            returnsFocus.current = root.current?.contains(document.activeElement) === true
            setOpen(false)
          }}
        />
      ) : (
        face
      )}
      {isError && denied === undefined && <p className={classes.failed}>{userText.segment.failed}</p>}
    </div>
  )
}
