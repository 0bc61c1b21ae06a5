import { IconX } from '@tabler/icons-react'
import { Link } from 'react-router'

import type { RecentAttempt } from '#contract/index.ts'
import { links } from '../../domain/links.ts'
import { sharedText, webhookText } from '../../messages/index.ts'
import { AttemptOutcome } from '../../domain/deliveries/AttemptOutcome.tsx'
import { duration } from '../../ui/duration.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import classes from './webhook.module.css'

/** A test that was asked for. */
export interface Test {
  readonly event: string
  readonly sentMs: number
}

export interface TestRunProps {
  readonly test: Test
  /** Its first try, once it is made. */
  readonly tried: RecentAttempt | undefined
  readonly isSlow: boolean
  readonly onClose: () => void
}

/** What becomes of a test. */
export function TestRun({ test, tried, isSlow, onClose }: TestRunProps) {
  const { testing } = webhookText
  const failed = tried?.error !== null && tried?.error !== undefined
  return (
    <div className={classes.test} data-tone={failed ? 'failed' : tried ? 'arrived' : undefined}>
      <div className={classes.noticeText}>
        {!tried ? (
          <p>{isSlow ? testing.slow : testing.sending}</p>
        ) : (
          <>
            <p className={classes.noticeTitle}>{failed ? testing.failed : testing.arrived}</p>
            <div className={classes.outcome}>
              <AttemptOutcome status={tried.status} error={tried.error} />
              {tried.ms !== null && tried.ms !== undefined && testing.after(duration(tried.ms))}
            </div>
            {failed && <p>{testing.once}</p>}
          </>
        )}
        <Link to={links.event(test.event)}>{testing.event}</Link>
      </div>
      <IconButton aria-label={sharedText.dismiss} onClick={onClose}>
        <IconX size={14} />
      </IconButton>
    </div>
  )
}
