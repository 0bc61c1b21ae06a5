import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'

import { Unsaved } from '../../domain/writing/unsaved.tsx'
import { links } from '../../domain/links.ts'
import { transferText } from '../../messages/index.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { Notice } from '../../domain/people/Notice.tsx'
import { forgetUsers } from './queries.ts'
import { problemsText } from './CheckStep.tsx'
import type { ImportFile } from './import-file.ts'
import classes from './import.module.css'
import common from './transfer.module.css'
import { ProgressLine } from '../../domain/work/ProgressLine.tsx'
import { saveReport } from './report.ts'
import { type ListedRow, RowList } from './RowList.tsx'
import type { ImportRow } from './rows.ts'
import { createImport, type Outcome, type RowState, type SendProgress, Stopped } from './send.ts'
import { useWork } from '../../domain/work/use-work.ts'

const text = { ...transferText.import, problems: transferText.problems }

export interface SendStepProps {
  readonly file: ImportFile
  /** All of the file; those with an error are not sent. */
  readonly rows: readonly ImportRow[]
  readonly changeExisting: boolean
  readonly onDone: (isDone: boolean) => void
  readonly onAgain: () => void
}

/** The import itself, through pauses and failures, and what became of each row. */
export function SendStep({ file, rows, changeExisting, onDone, onAgain }: SendStepProps) {
  const client = useQueryClient()
  const [job] = useState(() => {
    const sent = rows.filter(({ verdict }) => verdict !== 'error')
    return { sent, ...createImport(sent, { changeExisting, importId: crypto.randomUUID() }) }
  })
  const { work, begin, goOn } = useWork<SendProgress>()
  const [isPausing, setPausing] = useState(false)
  const [isStopped, setStopped] = useState(false)
  const [isReported, setReported] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const isOver = work.phase === 'done' || isStopped

  const begun = useRef(begin)
  useEffect(() => begun.current(job.run), [job])
  // Nothing of this is on screen here.
  useEffect(() => () => forgetUsers(client), [client])
  const told = useRef(onDone)
  useEffect(() => {
    told.current = onDone
  })
  useEffect(() => {
    told.current(isOver)
    heading.current?.focus()
  }, [isOver])

  const { states } = job
  const done = states.filter(({ outcome }) => outcome !== 'waiting').length
  const run = () => {
    setPausing(false)
    setStopped(false)
    setReported(false)
    goOn()
  }

  if (!isOver)
    return (
      <section className={classes.step} aria-label={text.steps[3]}>
        <Unsaved question={transferText.leave} />
        <h2 ref={heading} tabIndex={-1}>
          {text.run.title}
        </h2>
        <ProgressLine
          label={text.run.title}
          done={done}
          of={states.length}
          waitSeconds={work.progress?.waitSeconds}
        />
        {work.phase === 'failed' ? (
          <WhyStopped error={work.error} />
        ) : (
          <p className={common.note} aria-live="polite">
            {isPausing ? text.run.pausing : text.run.keepOpen}
          </p>
        )}
        <div className={common.buttons}>
          {work.phase === 'failed' ? (
            <>
              <Button variant="default" onClick={() => setStopped(true)}>
                {text.run.stop}
              </Button>
              <Button onClick={run}>{transferText.goOn}</Button>
            </>
          ) : (
            <Button
              loading={isPausing}
              onClick={() => {
                setPausing(true)
                job.pause()
              }}
            >
              {transferText.pause}
            </Button>
          )}
        </div>
      </section>
    )
  const failed = states.filter(({ outcome }) => outcome === 'failed').length
  const listed = listedRows(rows, job.sent, states, file)
  const missing = listed.filter(({ kind }) => kind === 'failed' || kind === 'unknown' || kind === 'waiting')
  return (
    <section className={classes.step} aria-label={text.steps[4]}>
      {missing.length > 0 && !isReported && <Unsaved question={transferText.leaveReport} />}
      <h2 ref={heading} tabIndex={-1}>
        {isStopped ? text.done.stoppedTitle : text.done.title}
      </h2>
      <RowList rows={listed} kinds={text.done.outcome}>
        {missing.length > 0 && <p className={common.note}>{text.done.reportHint}</p>}
      </RowList>
      <div className={classes.actions}>
        {missing.length > 0 && (
          <Button
            variant="default"
            onClick={() => {
              setReported(true)
              void saveReport(
                file,
                missing.map(({ row, note }) => ({ row, error: note() ?? '' })),
              )
            }}
          >
            {text.done.report(missing.length)}
          </Button>
        )}
        {failed > 0 && (
          <Button
            variant="default"
            onClick={() => {
              job.retryFailed()
              run()
            }}
          >
            {text.done.retry(failed)}
          </Button>
        )}
        {isStopped && (
          <Button variant="default" onClick={run}>
            {text.done.goOn}
          </Button>
        )}
        <Button variant="default" onClick={onAgain}>
          {text.done.again}
        </Button>
        <Button component={Link} to={links.users()}>
          {text.done.list}
        </Button>
      </div>
    </section>
  )
}

function listedRows(
  rows: readonly ImportRow[],
  sent: readonly ImportRow[],
  states: readonly RowState[],
  file: ImportFile,
): ListedRow<Outcome>[] {
  const stateOf = new Map(sent.map((row, index) => [row, states[index]]))
  return rows.map((row) => {
    const state = stateOf.get(row)
    const outcome = state?.outcome ?? 'failed'
    return {
      row,
      kind: outcome,
      userId: state?.userId ?? row.match?.id,
      note: () => {
        if (!state) return problemsText(row, file)
        return outcome === 'waiting' ? text.problems.notSent : state.detail
      },
    }
  })
}

function WhyStopped({ error }: { readonly error: unknown }) {
  const { run } = text
  if (!(error instanceof Stopped)) return <InlineFailure title={run.broken}>{run.brokenBody}</InlineFailure>
  switch (error.why) {
    case 'asked':
      return <Notice title={run.paused}>{run.pausedBody}</Notice>
    case 'unreachable':
      return <InlineFailure title={run.unreachable}>{run.unreachableBody}</InlineFailure>
    case 'busy':
      return <InlineFailure title={run.busy} error={error.error} own={{ busy: () => run.busyBody }} />
    case 'forbidden':
      return <InlineFailure title={run.forbidden} error={error.error} />
  }
}
