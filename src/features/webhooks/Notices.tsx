import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconAlertTriangle, IconPlayerPause } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

import type { Subscription } from '#contract/index.ts'
import { links } from '../../domain/links.ts'
import { webhookText } from '../../messages/index.ts'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { healthOf } from './health.ts'
import { missedQuery, type Span } from './queries.ts'
import classes from './webhook.module.css'

interface NoticeProps {
  readonly tone: 'failed' | 'warning' | 'quiet'
  readonly icon?: ReactNode
  readonly title: ReactNode
  readonly children: ReactNode
  readonly actions?: ReactNode
}

export function Notice({ tone, icon, title, children, actions }: NoticeProps) {
  return (
    <div className={classes.notice} data-tone={tone}>
      {icon}
      <div className={classes.noticeText}>
        <p className={classes.noticeTitle}>{title}</p>
        {children}
      </div>
      {actions !== undefined && <div className={classes.noticeActions}>{actions}</div>}
    </div>
  )
}

/** What is to be known, or done, where a webhook is not simply working. */
export function StateNotice({ subscription }: { readonly subscription: Subscription }) {
  const { notices } = webhookText
  const { disabled } = subscription
  const alarm = <IconAlertTriangle size={16} stroke={2} aria-hidden />
  switch (healthOf(subscription)) {
    case 'stopped': {
      const { title, body } = notices.stopped(disabled?.reason ?? '')
      return (
        <Notice tone="failed" icon={alarm} title={title}>
          <p>{body}</p>
          <p className="ds-dimmed">
            {notices.since} <Timestamp value={disabled?.since} mode="exact" focusable />
          </p>
        </Notice>
      )
    }
    case 'failing':
      return (
        <Notice tone="warning" icon={alarm} title={notices.failing.title}>
          {subscription.waiting > 0 ? notices.failing.body : notices.failing.nothingWaits}
        </Notice>
      )
    case 'paused':
      return (
        <Notice
          tone="quiet"
          icon={<IconPlayerPause size={16} stroke={2} aria-hidden />}
          title={notices.paused.title}
        >
          {notices.paused.body}
        </Notice>
      )
    case 'working':
    case 'unused':
      return null
  }
}

export interface MissedProps {
  readonly id: string
  readonly span: Span
  readonly onClose: () => void
}

/** After it was resumed: what happened meanwhile, if anything did. */
export function Missed({ id, span, onClose }: MissedProps) {
  const { data } = useQuery(missedQuery(id, span))
  return (
    <div aria-live="polite">
      {data && data.events > 0 && (
        <Notice
          tone="warning"
          title={webhookText.resume.missed(data.events)}
          actions={
            <>
              <Button variant="default" onClick={onClose}>
                {webhookText.resume.later}
              </Button>
              <Button component={Link} to={links.recoverWebhook(id, { ...span })}>
                {webhookText.resume.recover}
              </Button>
            </>
          }
        >
          {webhookText.resume.missedBody}
        </Notice>
      )}
    </div>
  )
}
