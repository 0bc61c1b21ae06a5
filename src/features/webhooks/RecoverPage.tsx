import '@mantine/core/styles/Input.layer.css'

import { Button } from '@mantine/core'
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Link, useLocation, useNavigate, useParams } from 'react-router'

import { ApiError } from '../../api/index.ts'
import { links } from '../../domain/links.ts'
import { sharedText, webhookText } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { useSettled } from '../../ui/use-settled.ts'
import { MomentField } from '../../domain/values/MomentField.tsx'
import { BackLink } from './BackLink.tsx'
import { missedSince } from './health.ts'
import { nameOf } from './names.ts'
import { missedQuery, recentAttemptsQuery, recoverEvents, type Span, subscriptionQuery } from './queries.ts'
import { RecoverProgress } from './RecoverProgress.tsx'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import classes from './RecoverPage.module.css'

const text = webhookText.recover
/** As the contract has it: with seconds and a zone. The schema would bring its library along. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
const settleMs = 300

/** Events that a webhook has missed: counted first, then sent, and followed until they have arrived. */
export function RecoverPage() {
  const { subscriptionId = '' } = useParams()
  return <Recover key={subscriptionId} id={subscriptionId} />
}

function Recover({ id }: { readonly id: string }) {
  const navigate = useNavigate()
  const { data: subscription } = useSuspenseQuery(subscriptionQuery(id))
  const { data: attempts } = useSuspenseQuery(recentAttemptsQuery(id))
  const location = useLocation()
  const [asked] = useState(() => new URLSearchParams(location.search))
  const [since, setSince] = useState(() => asked.get('since') ?? missedSince(subscription, attempts))
  const [until, setUntil] = useState(() => asked.get('until') ?? '')
  const problems = problemsOf(since, until)
  const isValid = problems.since === undefined && problems.until === undefined
  const settled = useSettled(JSON.stringify(isValid ? spanOf(since, until) : null), settleMs)
  const counted = JSON.parse(settled) as Span | null
  const count = useQuery({ ...missedQuery(id, counted ?? { since: '' }), enabled: counted !== null })
  const recover = useMutation(recoverEvents(id))
  const isSettled = isValid && settled === JSON.stringify(spanOf(since, until))
  const events = isSettled && !count.isFetching ? count.data?.events : undefined

  /** So that the address can be sent to a colleague. */
  const keep = () => {
    const address = links.recoverWebhook(id, spanOf(since, until))
    if (isValid && address !== `${location.pathname}${location.search}`)
      void navigate(address, { replace: true })
  }
  const name = nameOf(subscription)
  const reason = !subscription.enabled
    ? text.disabled
    : !isValid
      ? text.notCounted
      : events === 0
        ? text.nothing
        : undefined

  return (
    <>
      <PageHeader above={<BackLink to={links.webhook(id)}>{name}</BackLink>} title={text.title} />
      {recover.data ? (
        <RecoverProgress
          id={id}
          events={recover.data.events}
          onAgain={() => {
            recover.reset()
            void count.refetch()
          }}
        />
      ) : (
        <form
          noValidate
          className={classes.form}
          onSubmit={(event) => {
            event.preventDefault()
            if (reason !== undefined || recover.isPending) return
            recover.mutate(spanOf(since, until), { onSuccess: keep })
          }}
        >
          <p>{text.about}</p>
          <div className={classes.span}>
            <Moment
              label={text.since}
              value={since}
              onChange={setSince}
              onBlur={keep}
              problem={problems.since}
            />
            <Moment
              label={text.until}
              value={until}
              onChange={setUntil}
              onBlur={keep}
              problem={problems.until}
              note={text.untilHint}
            />
          </div>
          <output className={classes.count}>
            {!isValid
              ? ''
              : events === undefined
                ? !count.isError && text.counting
                : events === 0
                  ? text.none
                  : text.count(events)}
          </output>
          {isSettled && count.error instanceof ApiError && (
            <InlineFailure error={count.error} title={text.uncounted} own={webhookText.failures} />
          )}
          {recover.error instanceof ApiError && (
            <InlineFailure
              error={recover.error}
              title={text.failed}
              own={{ ...webhookText.failures, lost: text.lost }}
            />
          )}
          {!subscription.enabled && <p className="ds-dimmed">{text.disabled}</p>}
          <div className={classes.buttons}>
            <Button variant="default" component={Link} to={links.webhook(id)}>
              {sharedText.cancel}
            </Button>
            <DisabledReason reason={reason}>
              <Button type="submit" loading={recover.isPending}>
                {text.send(events === 0 ? undefined : events)}
              </Button>
            </DisabledReason>
          </div>
        </form>
      )}
    </>
  )
}

interface MomentProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onBlur: () => void
  readonly problem: string | undefined
  readonly note?: string
}

function Moment({ label, problem, note, ...field }: MomentProps) {
  const describedBy = useId()
  return (
    <div className={classes.moment}>
      <span aria-hidden className={classes.label}>
        {label}
      </span>
      <MomentField
        kind="datetime"
        label={label}
        {...field}
        invalid={problem !== undefined}
        describedBy={describedBy}
      />
      <span id={describedBy} className={problem === undefined ? classes.note : classes.wrong}>
        {problem ?? note ?? text.zone}
      </span>
    </div>
  )
}

const spanOf = (since: string, until: string): Span => ({
  since: since.trim(),
  ...(until.trim() !== '' && { until: until.trim() }),
})

function problemsOf(since: string, until: string) {
  const wrong = (value: string) =>
    instant.test(value.trim()) && !Number.isNaN(Date.parse(value)) ? undefined : text.wrong
  const first = since.trim() === '' ? text.missing : wrong(since)
  const last = until.trim() === '' ? undefined : wrong(until)
  // What is now is for the service's clock to say.
  const isReversed = until.trim() !== '' && Date.parse(until) <= Date.parse(since)
  return { since: first, until: last ?? (isReversed ? text.reversed : undefined) }
}
