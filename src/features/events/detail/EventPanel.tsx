import { Group, Stack, Title } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useLocation, useNavigate, useParams, useRevalidator, useRouteError } from 'react-router'

import { kindOf } from '../../../domain/failures/describe-failure.ts'
import { InlineFailure } from '../../../domain/failures/InlineFailure.tsx'
import { links } from '../../../domain/links.ts'
import { eventDetailText } from '../../../messages/index.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { isModalOpen } from '../../../ui/overlay-hooks.ts'
import classes from './EventPanel.module.css'

/**
 * Panel beside the list, or over it in a narrow window. Its `key` changes with the event, which moves the focus to the
 * new heading. Unlike Mantine's Drawer it is a non-modal dialog: the page stays usable, Escape closes the panel, and
 * the focus returns to the row.
 */
export function EventPanel({ title, children }: { readonly title: ReactNode; readonly children: ReactNode }) {
  const titleId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const navigate = useNavigate()
  const { search, state } = useLocation()
  /** Whether the event was opened by moving through the rows with the arrow keys, which keeps the focus in the list. */
  const isPassed = useRef((state as { readonly keepsFocus?: boolean } | null)?.keepsFocus === true)
  const { eventId = '' } = useParams()
  /** Whether the row gets the focus when the panel closes; false if another event replaces this one. */
  const returnsFocus = useRef(false)

  useEffect(() => {
    // A modal, such as the global search, may have opened since the navigation started.
    if (!isPassed.current && !isModalOpen()) heading.current?.focus({ preventScroll: true })
    return () => {
      if (!returnsFocus.current) return
      // Runs before the shell moves the focus to the page's heading, which it does not do once this row has it.
      const row = document.querySelector(`tr[data-id="${CSS.escape(eventId)}"]`)
      row?.querySelector<HTMLElement>('a[data-row-link]')?.focus({ preventScroll: true })
    }
  }, [eventId])

  const close = () => {
    returnsFocus.current = true
    void navigate({ pathname: links.events(), search }, { preventScrollReset: true })
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it from wherever the focus is inside
    <dialog
      open
      aria-labelledby={titleId}
      className={classes.root}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close()
      }}
    >
      <Stack>
        <Group wrap="nowrap" align="start" justify="space-between" gap="sm">
          <h2 id={titleId} ref={heading} tabIndex={-1}>
            {title}
          </h2>
          <IconButton className={classes.close ?? ''} aria-label={eventDetailText.close} onClick={close}>
            <IconX size={16} />
          </IconButton>
        </Group>
        {children}
      </Stack>
    </dialog>
  )
}

export interface EventSectionProps {
  readonly title: string
  readonly aside?: ReactNode
  readonly children: ReactNode
}

export function EventSection({ title, aside, children }: EventSectionProps) {
  return (
    <Stack
      component="section"
      aria-label={title}
      gap="xs"
      pt="md"
      style={{ borderTop: '1px solid var(--ds-border)' }}
    >
      <Group justify="space-between" mih={22}>
        <Title order={3}>{title}</Title>
        {aside}
      </Group>
      {children}
    </Stack>
  )
}

/** Error state in place of an event that failed to load; the list beside it stays. */
export function EventFailure() {
  const error = useRouteError()
  const { eventId } = useParams()
  const { revalidate, state } = useRevalidator()
  return (
    <EventPanel key={eventId} title={eventDetailText.label}>
      <InlineFailure
        title={eventDetailText.failure.title}
        error={error}
        own={{ missing: eventDetailText.failure.missing }}
        {...(kindOf(error) !== 'missing' && {
          onRetry: () => void revalidate(),
          retrying: state === 'loading',
        })}
      />
    </EventPanel>
  )
}
