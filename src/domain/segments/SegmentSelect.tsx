import { Box, type ComboboxItem, Group, Select, Text } from '@mantine/core'
import { IconCheck, IconChartPie } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

import { sharedText, userText } from '../../messages/index.ts'
import { number } from '../../messages/language/format.ts'
import { useCameNear } from '../../ui/use-came-near.ts'
import { userCountQuery } from '../queries/users.ts'

export interface SegmentSelectProps {
  readonly options: ComboboxItem[]
  readonly value: string
  readonly onChange: (segment: string) => void
  readonly onClose: () => void
}

/** The open state of the segment picker, with a search by name. */
export function SegmentSelect({ options, value, onChange, onClose }: SegmentSelectProps) {
  const [, drawAgain] = useState(false)
  useEffect(() => {
    // Mantine's input gets the id of its list one render late; without another render, a screen reader does not find
    // the list.
    const frame = requestAnimationFrame(() => drawAgain(true))
    return () => cancelAnimationFrame(frame)
  }, [])

  return (
    <Select
      aria-label={userText.segment.label}
      data={options}
      value={value}
      onChange={(next) => onChange(next ?? '')}
      onDropdownClose={onClose}
      // Selects the current name, so that typing replaces it.
      onFocus={(event) => event.currentTarget.select()}
      searchable
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of the button that was pressed
      autoFocus
      defaultDropdownOpened
      allowDeselect={false}
      selectFirstOptionOnChange
      comboboxProps={{ withinPortal: false }}
      withScrollArea={false}
      styles={{ options: { maxHeight: 'min(360px, 50vh)', overflowY: 'auto' } }}
      limit={200}
      nothingFoundMessage={userText.segment.nothingFound}
      renderOption={({ option, checked }) => <Option option={option} isChosen={checked === true} />}
      leftSection={<IconChartPie size={15} aria-hidden />}
    />
  )
}

function Option({ option, isChosen }: { readonly option: ComboboxItem; readonly isChosen: boolean }) {
  const row = useRef<HTMLDivElement>(null)
  const isNear = useCameNear(row)
  const { data: count, isPending } = useQuery({ ...userCountQuery(option.value), enabled: isNear })
  return (
    <Group component="span" ref={row} gap="xs" wrap="nowrap" flex={1} miw={0}>
      <Box component="span" display="flex" flex="none" w={14}>
        {isChosen && <IconCheck size={14} aria-hidden />}
      </Box>
      <Box component="span" flex={1} miw={0}>
        {option.label}
      </Box>
      {!isPending && (
        <Text span inherit c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {/* The hidden comma separates the count from the name for screen readers. */}
          <span className="ds-visually-hidden">, </span>
          {typeof count === 'number' ? number(count) : sharedText.none}
        </Text>
      )}
    </Group>
  )
}
