import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/Popover.layer.css'

import { Select } from '@mantine/core'
import { IconChartPie } from '@tabler/icons-react'
import { useEffect, useState } from 'react'

import { users as text } from '../../messages/index.ts'
import classes from './SegmentPicker.module.css'

export interface SegmentOption {
  readonly value: string
  readonly label: string
}

export interface SegmentSelectProps {
  readonly options: readonly SegmentOption[]
  readonly value: string
  readonly onChange: (segment: string) => void
  readonly onClose: () => void
}

/** The picker while it is open: type to find a segment by name. */
export function SegmentSelect({ options, value, onChange, onClose }: SegmentSelectProps) {
  const [, drawAgain] = useState(false)
  useEffect(() => {
    // Mantine's input learns the id of its list one drawing late; without it a screen reader does not find the list.
    const frame = requestAnimationFrame(() => drawAgain(true))
    return () => cancelAnimationFrame(frame)
  }, [])

  return (
    <Select
      aria-label={text.segment.label}
      data={options.map((option) => ({ ...option }))}
      value={value}
      onChange={(next) => onChange(next ?? '')}
      onDropdownClose={onClose}
      // What is typed replaces the name that stands there.
      onFocus={(event) => event.currentTarget.select()}
      searchable
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of the button that was pressed
      autoFocus
      defaultDropdownOpened
      allowDeselect={false}
      selectFirstOptionOnChange
      comboboxProps={{ withinPortal: false }}
      withScrollArea={false}
      classNames={{ options: classes.options ?? '' }}
      limit={200}
      nothingFoundMessage={text.segment.nothingFound}
      leftSection={<IconChartPie size={15} aria-hidden />}
      autoComplete="off"
    />
  )
}
