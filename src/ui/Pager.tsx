import { Button } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconChevronsLeft } from '@tabler/icons-react'

import { sharedText } from '../messages/index.ts'
import classes from './Pager.module.css'

export interface PagerProps {
  /** Rows on screen, counted from 1. Absent where the position is not known. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** Number of all rows; absent where the service does not say. */
  readonly total?: number | undefined
  /** Absent: there is nowhere to go. */
  readonly onFirst?: (() => void) | undefined
  readonly onPrevious?: (() => void) | undefined
  readonly onNext?: (() => void) | undefined
  readonly pending?: boolean
}

/** First, Previous, "51–100 of 8,031", Next: for opaque offsets, so without page numbers. */
export function Pager({ from, to, total, onFirst, onPrevious, onNext, pending = false }: PagerProps) {
  const step = (
    label: string,
    go: (() => void) | undefined,
    left?: React.ReactNode,
    right?: React.ReactNode,
  ) => (
    <Button
      variant="default"
      disabled={!go}
      leftSection={left}
      rightSection={right}
      // Kept enabled while a page loads: disabling the focused button would throw the focus away.
      onClick={() => {
        if (!pending) go?.()
      }}
    >
      {label}
    </Button>
  )
  return (
    <nav aria-label={sharedText.pager.label} className={classes.root} aria-busy={pending}>
      {step(sharedText.pager.first, onFirst, <IconChevronsLeft size={14} />)}
      {step(sharedText.pager.previous, onPrevious, <IconChevronLeft size={14} />)}
      <span className={classes.range} aria-live="polite">
        {from !== undefined && to !== undefined ? describeRange(from, to, total) : ''}
      </span>
      {step(sharedText.pager.next, onNext, undefined, <IconChevronRight size={14} />)}
    </nav>
  )
}

function describeRange(from: number, to: number, total: number | undefined): string {
  return total === undefined
    ? sharedText.pager.range({ from, to })
    : sharedText.pager.rangeOf({ from, to, total })
}
