import { Input } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconChartPie, IconChevronDown } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'

import { useDenied } from '../../auth/use-session.ts'
import { userText } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { shortId } from '../../ui/ShortId.tsx'
import { segmentsQuery } from '../queries/segments.ts'
import type { SegmentOption } from './SegmentSelect.tsx'
import classes from './SegmentPicker.module.css'

// The list that opens weighs more than the page around it (it positions itself), so it comes when it is reached for.
const loadSelect = () => import('./SegmentSelect.tsx')
const SegmentSelect = lazy(async () => ({ default: (await loadSelect()).SegmentSelect }))

export interface SegmentPickerProps {
  /** `''`: all users. */
  readonly value: string
  readonly onChange: (segment: string) => void
}

export function SegmentPicker({ value, onChange }: SegmentPickerProps) {
  const [open, setOpen] = useState(false)
  const denied = useDenied('segments:read')
  const { data, isError, refetch } = useQuery({ ...segmentsQuery(), enabled: denied === undefined })
  const options: SegmentOption[] = [
    { value: '', label: userText.segment.all },
    ...(data ?? []).map(({ id, name }) => ({
      value: id as string,
      label: name ?? userText.segment.nameless(shortId(id)),
    })),
  ]
  // One that is not among them (deleted, or still loading) has its id for a name.
  const chosen = options.find((option) => option.value === value) ?? {
    value,
    label: userText.segment.nameless(shortId(value)),
  }
  const label = data || value === '' ? chosen.label : userText.segment.loading

  const fetchAhead = () => void loadSelect().catch(() => undefined)
  const face = (
    <DisabledReason reason={denied}>
      <Input
        component="button"
        type="button"
        pointer
        leftSection={<IconChartPie size={15} aria-hidden />}
        rightSection={<IconChevronDown size={14} aria-hidden />}
        aria-haspopup="listbox"
        aria-label={userText.segment.chosen(label)}
        onPointerEnter={fetchAhead}
        onFocus={fetchAhead}
        onClick={() => {
          setOpen(true)
          if (isError) void refetch()
        }}
      >
        <span className={classes.face}>{label}</span>
      </Input>
    </DisabledReason>
  )
  return (
    <div className={classes.root}>
      {open ? (
        <Suspense fallback={face}>
          <SegmentSelect
            options={options.includes(chosen) ? options : [...options, chosen]}
            value={value}
            onChange={onChange}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      ) : (
        face
      )}
      {isError && <p className={classes.failed}>{userText.segment.failed}</p>}
    </div>
  )
}
