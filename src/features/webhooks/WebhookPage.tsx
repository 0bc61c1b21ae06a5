import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'

import type { Subscription } from '#contract/index.ts'
import { ApiError } from '../../api/index.ts'
import { links } from '../../domain/links.ts'
import { webhookText } from '../../messages/index.ts'
import { number } from '../../messages/format.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { ShortId } from '../../ui/ShortId.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { showToast } from '../../ui/toast.tsx'
import { BackLink } from './BackLink.tsx'
import { HealthMark } from './HealthMark.tsx'
import { healthOf, missedSince } from './health.ts'
import { nameOf, typesInWords } from './names.ts'
import { Missed, StateNotice } from './Notices.tsx'
import { recentAttemptsQuery, type Span, subscriptionQuery } from './queries.ts'
import { type Test, TestRun } from './TestRun.tsx'
import { Tries } from './Tries.tsx'
import { WebhookActions } from './WebhookActions.tsx'
import classes from './webhook.module.css'

const pollMs = 5000
/** While a test is on its way. */
const quickPollMs = 500
/** A test whose first try takes longer than this waits for something else. */
const patienceMs = 30_000

/** Somebody has deleted it. */
const isGone = (error: Error | null) => error instanceof ApiError && error.status === 404

/** One webhook: how its deliveries go, and all that can be done with it. */
export function WebhookPage() {
  const { subscriptionId = '' } = useParams()
  return <Webhook key={subscriptionId} id={subscriptionId} />
}

function Webhook({ id }: { readonly id: string }) {
  const navigate = useNavigate()
  const [test, setTest] = useState<Test>()
  const [resumed, setResumed] = useState<Span>()
  const attempts = useQuery({
    ...recentAttemptsQuery(id),
    refetchInterval: ({ state: { data, error } }) =>
      isGone(error)
        ? false
        : test && !data?.some(({ event }) => event === test.event) && Date.now() - test.sentMs < patienceMs
          ? quickPollMs
          : pollMs,
  })
  const tried = attempts.data?.findLast(({ event }) => event === test?.event)
  const isSlow = test !== undefined && attempts.dataUpdatedAt - test.sentMs >= patienceMs
  const isTesting = test !== undefined && !tried && !isSlow
  const { data: subscription, error } = useSuspenseQuery({
    ...subscriptionQuery(id),
    refetchInterval: ({ state }) => (isGone(state.error) ? false : isTesting ? quickPollMs : pollMs),
    refetchOnWindowFocus: true,
  })

  const leave = async () => {
    await navigate(links.webhooks(), { replace: true })
    showToast({ message: webhookText.remove.deleted(nameOf(subscription)) })
  }
  return (
    <>
      <PageHeader
        above={<BackLink to={links.webhooks()}>{webhookText.title}</BackLink>}
        title={nameOf(subscription)}
        below={
          <>
            <HealthMark subscription={subscription} />
            <span className={classes.url}>
              <span className="ds-mono">{subscription.url}</span>
              <CopyButton value={subscription.url} label={webhookText.detail.copyUrl} />
            </span>
          </>
        }
        actions={
          <WebhookActions
            subscription={subscription}
            isTesting={isTesting}
            onTest={(event) => setTest({ event, sentMs: Date.now() })}
            onPause={() => setResumed(undefined)}
            onResume={() => setResumed({ since: missedSince(subscription, attempts.data) })}
            onDeleted={leave}
          />
        }
      />
      <div className={classes.columns}>
        <div className={classes.main}>
          {isGone(error) && (
            <InlineFailure title={webhookText.failures.missing.body}>
              <Link to={links.webhooks()}>{webhookText.failures.back}</Link>
            </InlineFailure>
          )}
          {/* Of a test that failed, its own notice says more. */}
          {!(test && healthOf(subscription) === 'failing') && <StateNotice subscription={subscription} />}
          {resumed && subscription.enabled && (
            <Missed id={id} span={resumed} onClose={() => setResumed(undefined)} />
          )}
          <div aria-live="polite">
            {test && <TestRun test={test} tried={tried} isSlow={isSlow} onClose={() => setTest(undefined)} />}
          </div>
          <Tries attempts={attempts.data} error={attempts.error} onRetry={() => void attempts.refetch()} />
        </div>
        <Fields subscription={subscription} since={missedSince(subscription, attempts.data)} />
      </div>
    </>
  )
}

interface FieldsProps {
  readonly subscription: Subscription
  /** From when on it may have missed something. */
  readonly since: string
}

function Fields({ subscription, since }: FieldsProps) {
  const { id, description, waiting, waitingSince, lastSuccess, lastFailure, previousSecretUntil } =
    subscription
  const { detail } = webhookText
  return (
    <dl className={classes.fields}>
      {description !== null && description !== undefined && description !== '' && (
        <Field name={detail.description}>{description}</Field>
      )}
      <Field name={detail.types}>
        <ul className={classes.list}>
          {typesInWords(subscription).map((type) => (
            <li key={type}>{type}</li>
          ))}
        </ul>
      </Field>
      <Field name={detail.waiting}>
        {number(waiting)}
        {waiting > 0 && waitingSince !== null && waitingSince !== undefined && (
          <>
            , {webhookText.waitingSince} <Timestamp value={waitingSince} focusable />
          </>
        )}
        <br />
        <Link to={links.recoverWebhook(id, { since })}>{detail.recover}</Link>
      </Field>
      <Field name={detail.lastSuccess}>
        <Moment value={lastSuccess} />
      </Field>
      <Field name={detail.lastFailure}>
        <Moment value={lastFailure} />
      </Field>
      {previousSecretUntil !== null && previousSecretUntil !== undefined && (
        <Field name={detail.previousSecret}>
          <Moment value={previousSecretUntil} />
        </Field>
      )}
      <Field name={detail.id}>
        <ShortId id={id} />
      </Field>
      <Field name={detail.created}>
        <Moment value={subscription.created} />
      </Field>
      <Field name={detail.updated}>
        <Moment value={subscription.updated} />
      </Field>
    </dl>
  )
}

function Moment({ value }: { readonly value: string | null | undefined }) {
  if (value === null || value === undefined) return <span className="ds-dimmed">{webhookText.never}</span>
  return <Timestamp value={value} mode="exact" focusable />
}

function Field({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className={classes.field}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
