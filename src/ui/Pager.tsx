import { Button } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconChevronsLeft } from '@tabler/icons-react'

import { sharedText } from '../messages/index.ts'
import { Announced } from './AnnouncedPart.tsx'
import classes from './Pager.module.css'

export interface PagerProps {
  /** Range of the visible rows, counted from 1; undefined if the position is unknown. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** Total number of rows; undefined if the service does not tell. */
  readonly total?: number | undefined
  /** Navigation callbacks; undefined if there is no such page. */
  readonly onFirst?: (() => void) | undefined
  readonly onPrevious?: (() => void) | undefined
  readonly onNext?: (() => void) | undefined
  readonly pending?: boolean
}

/** Pager with First, Previous, "51–100 of 8,031" and Next. It has no page numbers, because offsets are opaque. */
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
      // Stays enabled while a page loads, because disabling the focused button would lose the focus.
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
      <Announced className={classes.range}>
        {from !== undefined && to !== undefined ? describeRange(from, to, total) : ''}
      </Announced>
      {step(sharedText.pager.next, onNext, undefined, <IconChevronRight size={14} />)}
    </nav>
  )
}

function describeRange(from: number, to: number, total: number | undefined): string {
  return total === undefined
    ? sharedText.pager.range({ from, to })
    : sharedText.pager.rangeOf({ from, to, total })
}
