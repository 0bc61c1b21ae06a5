import { Button } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { Link } from 'react-router'

import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { links } from '../../domain/links.ts'
import { ProgressLine } from '../../domain/work/ProgressLine.tsx'
import { useBegunWork } from '../../domain/work/use-work.ts'
import { Unsaved } from '../../domain/writing/unsaved.tsx'
import { transferText, userImportText } from '../../messages/index.ts'
import { Callout } from '../../ui/Callout.tsx'
import { type CheckedRows, problemsText } from './CheckStep.tsx'
import type { ImportFile } from './import-file.ts'
import { Buttons, FocusedTitle, Note, StepSection } from './layout.tsx'
import { saveReport } from './report.ts'
import { type ListedRow, RowList } from './RowList.tsx'
import type { ImportRow } from './rows.ts'
import { Import, type Outcome, Stopped } from './send.ts'

interface SendStepProps extends CheckedRows {
  readonly file: ImportFile
  readonly onDone: (isDone: boolean) => void
  readonly onAgain: () => void
}

export function SendStep({ file, rows, changeExisting, reason, onDone, onAgain }: SendStepProps) {
  const [job] = useState(() => new Import(rows, { changeExisting, reason, importId: crypto.randomUUID() }))
  const { work, goOn } = useBegunWork(job.run)
  const [isStopped, setStopped] = useState(false)
  const isOver = work.phase === 'done' || isStopped
  const tell = useEffectEvent(onDone)
  useEffect(() => tell(isOver), [isOver])
  const run = () => {
    setStopped(false)
    goOn()
  }
  return isOver ? (
    <Done {...{ job, file, isStopped, onAgain }} listed={listedRows(rows, job, file)} onRun={run} />
  ) : (
    <Sending job={job} work={work} onRun={run} onStop={() => setStopped(true)} />
  )
}

interface SendingProps {
  readonly job: Import
  readonly work: ReturnType<typeof useBegunWork<{ readonly waitSeconds?: number | undefined }>>['work']
  readonly onRun: () => void
  readonly onStop: () => void
}

function Sending({ job, work, onRun, onStop }: SendingProps) {
  const [isPausing, setPausing] = useState(false)
  const states = [...job.states.values()]
  return (
    <StepSection label={userImportText.steps.import}>
      <Unsaved question={transferText.leave} />
      <FocusedTitle>{userImportText.run.title}</FocusedTitle>
      <ProgressLine
        label={userImportText.run.title}
        done={states.filter(({ outcome }) => outcome !== 'waiting').length}
        of={states.length}
        waitSeconds={work.progress?.waitSeconds}
      />
      {work.phase === 'failed' ? (
        <WhyStopped error={work.error} />
      ) : (
        <Note aria-live="polite">{isPausing ? userImportText.run.pausing : userImportText.run.keepOpen}</Note>
      )}
      <Buttons>
        {work.phase === 'failed' ? (
          <>
            <Button variant="default" onClick={onStop}>
              {userImportText.run.stop}
            </Button>
            <Button
              onClick={() => {
                setPausing(false)
                onRun()
              }}
            >
              {transferText.goOn}
            </Button>
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
      </Buttons>
    </StepSection>
  )
}

interface DoneProps extends Pick<SendingProps, 'job' | 'onRun'>, Pick<SendStepProps, 'file' | 'onAgain'> {
  readonly listed: readonly ListedRow<Outcome>[]
  readonly isStopped: boolean
}

function Done({ job, listed, file, isStopped, onRun, onAgain }: DoneProps) {
  const [isReported, setReported] = useState(false)
  const failed = [...job.states.values()].filter(({ outcome }) => outcome === 'failed').length
  const missing = listed.filter(({ kind }) => kind === 'failed' || kind === 'waiting')
  const report = () => {
    setReported(true)
    void saveReport(
      file,
      missing.map(({ row, note }) => ({ row, error: note() ?? '' })),
    )
  }
  const retry = () => {
    job.retryFailed()
    onRun()
  }
  return (
    <StepSection label={userImportText.steps.done}>
      {missing.length > 0 && !isReported && <Unsaved question={transferText.leaveReport} />}
      <FocusedTitle>{isStopped ? userImportText.done.stoppedTitle : userImportText.done.title}</FocusedTitle>
      <RowList rows={listed} kinds={userImportText.done.outcome}>
        {missing.length > 0 && <Note>{userImportText.done.reportHint}</Note>}
      </RowList>
      <Buttons sticky>
        {missing.length > 0 && (
          <Button variant="default" onClick={report}>
            {userImportText.done.report({ count: missing.length })}
          </Button>
        )}
        {failed > 0 && (
          <Button variant="default" onClick={retry}>
            {userImportText.done.retry({ count: failed })}
          </Button>
        )}
        {isStopped && (
          <Button variant="default" onClick={onRun}>
            {userImportText.done.goOn}
          </Button>
        )}
        <Button variant="default" onClick={onAgain}>
          {userImportText.done.again}
        </Button>
        <Button component={Link} to={links.users()}>
          {userImportText.done.list}
        </Button>
      </Buttons>
    </StepSection>
  )
}

function listedRows(rows: readonly ImportRow[], { states }: Import, file: ImportFile): ListedRow<Outcome>[] {
  return rows.map((row) => {
    const state = states.get(row)
    const kind = state?.outcome ?? 'failed'
    return {
      row,
      kind,
      userId: state?.userId ?? row.match?.id,
      note: () => {
        if (!state) return problemsText(row, file)
        const { unknown, notSent } = transferText.problems
        if (kind !== 'waiting') return state.detail
        return state.isLost === true && row.email === undefined && row.ref === undefined ? unknown : notSent
      },
    }
  })
}

function WhyStopped({ error }: { readonly error: unknown }) {
  const { run } = userImportText
  if (!(error instanceof Stopped)) return <InlineFailure title={run.broken}>{run.brokenBody}</InlineFailure>
  switch (error.why) {
    case 'asked':
      return <Callout title={run.paused}>{run.pausedBody}</Callout>
    case 'unreachable':
      return <InlineFailure title={run.unreachable}>{run.unreachableBody}</InlineFailure>
    case 'busy':
      return <InlineFailure title={run.busy} error={error.error} own={{ busy: () => run.busyBody }} />
    case 'forbidden':
      return <InlineFailure title={run.forbidden} error={error.error} />
  }
}
