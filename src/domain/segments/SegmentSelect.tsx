import { type ComboboxItem, Select } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { IconCheck, IconChartPie } from '@tabler/icons-react'
import { createContext, use, useEffect, useRef, useState } from 'react'

import { sharedText, userText } from '../../messages/index.ts'
import { number } from '../../messages/format.ts'
import { userCountQuery } from '../queries/users.ts'
import classes from './SegmentSelect.module.css'

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

/** Maximum number of segments counted in parallel: counting costs the service more than reading a page. */
const countedAtOnce = 2

interface Counts {
  /** Number of users by segment; `null` if counting failed, absent if it is pending. */
  readonly of: ReadonlyMap<string, number | null>
  /** Requests the count of a segment that has come into view. */
  readonly want: (segment: string) => void
}
const CountsContext = createContext<Counts>({ of: new Map(), want: () => undefined })

/** The open state of the segment picker, with a search by name. */
export function SegmentSelect({ options, value, onChange, onClose }: SegmentSelectProps) {
  const [, drawAgain] = useState(false)
  useEffect(() => {
    // Mantine's input gets the id of its list one render late; without another render, a screen reader does not find
    // the list.
    const frame = requestAnimationFrame(() => drawAgain(true))
    return () => cancelAnimationFrame(frame)
  }, [])
  const counts = useCounts()

  return (
    <CountsContext value={counts}>
      <Select
        aria-label={userText.segment.label}
        data={options.map((option) => ({ ...option }))}
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
        classNames={{ options: classes.options ?? '' }}
        limit={200}
        nothingFoundMessage={userText.segment.nothingFound}
        renderOption={({ option, checked }) => <Option option={option} isChosen={checked === true} />}
        leftSection={<IconChartPie size={15} aria-hidden />}
        autoComplete="off"
      />
    </CountsContext>
  )
}

function Option({ option, isChosen }: { readonly option: ComboboxItem; readonly isChosen: boolean }) {
  const row = useRef<HTMLSpanElement>(null)
  const { of: counts, want } = use(CountsContext)
  const count = counts.get(option.value)
  useEffect(() => {
    const watch = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) want(option.value)
    })
    if (row.current) watch.observe(row.current)
    return () => watch.disconnect()
  }, [want, option.value])
  return (
    <span ref={row} className={classes.option}>
      <span className={classes.check}>{isChosen && <IconCheck size={14} aria-hidden />}</span>
      <span className={classes.name}>{option.label}</span>
      {count !== undefined && (
        <span className={classes.count}>
          {/* The hidden comma separates the count from the name for screen readers. */}
          <span className="ds-visually-hidden">, </span>
          {count === null ? sharedText.none : number(count)}
        </span>
      )}
    </span>
  )
}

/**
 * Counts the users of segments that have come into view. Counts that are pending when the select closes are cancelled.
 */
function useCounts(): Counts {
  const [wanted, setWanted] = useState<readonly string[]>([])
  const [started, setStarted] = useState(countedAtOnce)
  const [want] = useState(
    () => (segment: string) =>
      setWanted((before) => (before.includes(segment) ? before : [...before, segment])),
  )
  const queries = useQueries({
    queries: wanted.map((segment, at) => ({ ...userCountQuery(segment), enabled: at < started })),
  })
  const settled = queries.filter(({ isPending }) => !isPending).length
  if (started !== settled + countedAtOnce) setStarted(settled + countedAtOnce)
  const known = wanted.flatMap((segment, at): [string, number | null][] => {
    const { data, isPending = true } = queries[at] ?? {}
    return isPending ? [] : [[segment, data ?? null]]
  })
  return { of: new Map(known), want }
}
