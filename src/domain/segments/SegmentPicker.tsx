import { useQuery } from '@tanstack/react-query'
import { IconChartPie, IconSelector } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'

import { useDenied } from '../../auth/use-session.ts'
import { users as text } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { shortId } from '../../ui/ShortId.tsx'
import control from '../../ui/Control.module.css'
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
    { value: '', label: text.segment.all },
    ...(data ?? []).map(({ id, name }) => ({
      value: id as string,
      label: name ?? text.segment.nameless(shortId(id)),
    })),
  ]
  // One that is not among them (deleted, or still loading) has its id for a name.
  const chosen = options.find((option) => option.value === value) ?? {
    value,
    label: text.segment.nameless(shortId(value)),
  }
  const label = data || value === '' ? chosen.label : text.segment.loading

  const fetchAhead = () => void loadSelect().catch(() => undefined)
  const face = (
    <DisabledReason reason={denied}>
      <button
        type="button"
        className={control.control}
        aria-haspopup="listbox"
        aria-label={text.segment.chosen(label)}
        onPointerEnter={fetchAhead}
        onFocus={fetchAhead}
        onClick={() => {
          setOpen(true)
          if (isError) void refetch()
        }}
      >
        <IconChartPie size={15} aria-hidden />
        <span className={control.text}>{label}</span>
        <IconSelector size={15} aria-hidden />
      </button>
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
      {isError && <p className={classes.failed}>{text.segment.failed}</p>}
    </div>
  )
}
