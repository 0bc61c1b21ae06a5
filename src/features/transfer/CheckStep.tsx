import { Box, Button, Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'

import { maxColumns, type PropertyValue } from '#contract/index.ts'
import { importedEntity } from '#contract/reading/targets.ts'
import { useDenied } from '../../auth/use-session.ts'
import { describe } from '../../domain/failures/describe-failure.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { propertyLabel } from '../../domain/labels.ts'
import { userCountQuery } from '../../domain/queries/users.ts'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import { ProgressLine } from '../../domain/work/ProgressLine.tsx'
import { type Run, useBegunWork } from '../../domain/work/use-work.ts'
import { useReason, ReasonField } from '../../domain/writing/reason.tsx'
import { importCheckText, transferText, userImportText, valueText } from '../../messages/index.ts'
import { useAnnounced } from '../../ui/announced.tsx'
import { SkeletonRows } from '../../ui/skeletons/SkeletonRows.tsx'
import { zonedMinute } from '../../ui/time.ts'
import type { ImportFile } from './import-file.ts'
import { Buttons, FocusedTitle, Note, StepSection } from './layout.tsx'
import { cheapestWay, createLookup, type Existing, type Wanted } from './lookup.ts'
import type { Target } from './mapping.ts'
import { saveReport } from './report.ts'
import { type ListedRow, RowList } from './RowList.tsx'
import { evaluateRows, type ImportRow, type ReadRow, readRows, type Verdict, wantedOf } from './rows.ts'

export interface CheckedRows {
  /** All rows; those with an error are not sent. */
  readonly rows: readonly ImportRow[]
  /** Whether existing users receive the fields and properties of the file; otherwise they stay unchanged. */
  readonly changeExisting: boolean
  readonly reason: string | undefined
}

interface CheckStepProps {
  readonly file: ImportFile
  readonly targets: readonly Target[]
  readonly areBadCellsLeft: boolean
  readonly onBack: () => void
  readonly onNext: (checked: CheckedRows) => void
}

/** Preview of the import, row by row. Nothing is written in this step. */
export function CheckStep({ file, targets, areBadCellsLeft, onBack, onNext }: CheckStepProps) {
  const [read] = useState(
    (): Run<never, ReadRow[]> => (signal) =>
      readRows(file.rows, file.headers, targets, signal, areBadCellsLeft),
  )
  const { work } = useBegunWork(read)
  const back = (
    <Button variant="default" onClick={onBack}>
      {transferText.back}
    </Button>
  )
  return (
    <StepSection label={userImportText.steps.check}>
      {work.phase === 'done' ? (
        <Lookup rows={work.result} targets={targets} back={back}>
          {(existing) => (
            <Review
              file={file}
              targets={targets}
              rows={work.result}
              existing={existing}
              back={back}
              onNext={onNext}
            />
          )}
        </Lookup>
      ) : work.phase === 'failed' ? (
        <InlineFailure title={describe(work.error)} />
      ) : (
        <>
          <Going>{importCheckText.reading}</Going>
          <SkeletonRows rows={6} />
        </>
      )}
    </StepSection>
  )
}

function Going({ children }: { readonly children: string }) {
  useAnnounced(children)
  return <p>{children}</p>
}

interface LookupProps extends Pick<CheckStepProps, 'targets'> {
  readonly rows: readonly ReadRow[]
  readonly back: ReactNode
  /** Renders the result; `existing` is undefined if it is unknown which users exist already. */
  readonly children: (existing: Existing | undefined) => ReactNode
}

/** Finds users who exist already, by search or by reading all. */
function Lookup({ rows, targets, back, children }: LookupProps) {
  const wanted = useMemo(() => wantedOf(rows), [rows])
  const mayRead = useDenied('entities:read') === undefined
  const consentKeys = targets.flatMap((target) =>
    target.to === 'property' && target.type === 'PREFERENCE' && mayRead ? [target.key] : [],
  )
  const isNeeded = wanted.ids.size + wanted.emails.size + wanted.refs.size > 0
  const count = useQuery({ ...userCountQuery(''), enabled: isNeeded })
  const [isWithout, setWithout] = useState(false)

  if (!isNeeded || isWithout) return children(undefined)
  if (count.isPending) return <Going>{importCheckText.counting}</Going>
  const users = count.data ?? undefined
  return <Looking {...{ wanted, consentKeys, users, back, setWithout }}>{children}</Looking>
}

interface LookingProps extends Pick<LookupProps, 'back' | 'children'> {
  readonly wanted: Wanted
  readonly consentKeys: readonly string[]
  readonly users: number | undefined
  readonly setWithout: (isWithout: true) => void
}

function Looking({ wanted, consentKeys, users, back, setWithout, children }: LookingProps) {
  // Decided once, because the number of users may change during the lookup.
  const [way] = useState(() => cheapestWay(wanted, users))
  const [look] = useState(() => createLookup(wanted, way, consentKeys.slice(0, maxColumns)))
  const { work, pause, goOn } = useBegunWork(look)

  if (work.phase === 'done') return children(work.result)
  const { done, of, waitSeconds } = work.progress ?? { done: 0, of: undefined }
  const label = way === 'search' ? importCheckText.searching : importCheckText.walking
  return (
    <>
      <Going>{label}</Going>
      <ProgressLine label={label} done={done} of={of} waitSeconds={waitSeconds} />
      {work.phase === 'failed' && (
        <InlineFailure
          title={importCheckText.failedTitle}
          error={work.error}
          own={{ kept: importCheckText.failedBody }}
          onRetry={goOn}
        />
      )}
      <Buttons>
        {back}
        <Button variant="default" onClick={() => setWithout(true)}>
          {importCheckText.without}
        </Button>
        {work.phase === 'running' && <Button onClick={pause}>{importCheckText.stop}</Button>}
        {work.phase === 'paused' && <Button onClick={goOn}>{transferText.goOn}</Button>}
      </Buttons>
    </>
  )
}

interface ReviewProps extends Pick<CheckStepProps, 'file' | 'targets' | 'onNext'> {
  readonly rows: readonly ReadRow[]
  readonly existing: Existing | undefined
  readonly back: ReactNode
}

function Review({ file, targets, rows, existing, back, onNext }: ReviewProps) {
  const [changeExisting, setChangeExisting] = useState(false)
  const results = useMemo(() => evaluateRows(rows, existing), [rows, existing])
  const listed = useMemo(
    () => results.map((row) => listedRow(row, file, changeExisting)),
    [results, file, changeExisting],
  )
  const failed = results.filter(({ verdict }) => verdict === 'error')
  const matches = results.filter(({ verdict }) => verdict === 'match').length
  const creates = results.length - failed.length - matches
  const hasUnchecked = results.some(({ verdict }) => verdict === 'unchecked')
  const changes = changeExisting ? matches : 0
  const reason = useReason()
  const next = () => {
    if (reason.isReady()) onNext({ rows: results, changeExisting, reason: reason.given })
  }

  return (
    <>
      <div>
        <FocusedTitle>{importCheckText.title}</FocusedTitle>
        <Note>{importCheckText.nothingYet}</Note>
        <PropertiesNote targets={targets} />
      </div>
      <RowList rows={listed} kinds={importCheckText.verdict}>
        {(matches > 0 || hasUnchecked) && (
          <Checkbox
            label={importCheckText.changeExisting}
            description={importCheckText.changeExistingHint}
            checked={changeExisting}
            onChange={(event) => setChangeExisting(event.currentTarget.checked)}
          />
        )}
      </RowList>
      <Box maw={480}>
        <ReasonField reason={reason} onEnter={next} />
      </Box>
      <Buttons sticky>
        {back}
        {failed.length > 0 && (
          <Button
            variant="default"
            onClick={() =>
              void saveReport(
                file,
                failed.map((row) => ({ row, error: problemsText(row, file) })),
              )
            }
          >
            {importCheckText.download({ count: failed.length })}
          </Button>
        )}
        <Button disabled={creates + changes === 0} onClick={next}>
          {nextLabel(creates, changes)}
        </Button>
      </Buttons>
    </>
  )
}

function nextLabel(create: number, change: number): string {
  const { next, nothing } = importCheckText
  if (create === 0) return change === 0 ? nothing : next.change({ change })
  return change === 0 ? next.create({ create }) : next.both({ create, change })
}

type ListedVerdict = Verdict | 'older'

function listedRow(row: ImportRow, file: ImportFile, changeExisting: boolean): ListedRow<ListedVerdict> {
  const { verdict, match, id, email, ref } = row
  const older = (changeExisting && row.older) || []
  return {
    row,
    kind: older.length > 0 ? 'older' : verdict,
    userId: match?.id,
    note: () => {
      if (verdict === 'error') return problemsText(row, file)
      if (match) {
        const { matched, matchedNameless } = importCheckText
        const who =
          match.name === undefined ? matchedNameless[match.by] : matched[match.by]({ name: match.name })
        return [who, ...older.map(describeOlder)].join('. ')
      }
      return (id ?? email ?? ref) === undefined ? importCheckText.unknowable : undefined
    },
  }
}

function describeOlder({ key, given, stored }: NonNullable<ImportRow['older']>[number]): string {
  const renderValue = (value: unknown) => {
    const { status, statusDate } = value as PropertyValue['PREFERENCE']
    return importCheckText.consent({
      status: valueText.status[status],
      moment: zonedMinute(Date.parse(statusDate ?? ''), 'utc'),
    })
  }
  return importCheckText.older({
    label: propertyLabel(importedEntity, key),
    given: renderValue(given),
    stored: renderValue(stored),
  })
}

/** Joins the problems of a row. A problem of a cell begins with its column: "E-mail: Enter an e-mail address …". */
export function problemsText({ problems }: ReadRow, { headers }: ImportFile): string {
  return problems
    .map(({ column, detail }) =>
      column === undefined
        ? detail
        : transferText.problems.at({ place: headers[column] ?? '', problem: detail }),
    )
    .join(' ')
}

/** Lists the properties that will be written and says who will be able to read them. */
function PropertiesNote({ targets }: { readonly targets: readonly Target[] }) {
  const properties = targets.filter((target) => target.to === 'property')
  const labels = (sensitive: boolean) =>
    properties
      .filter((property) => property.sensitive === sensitive)
      .map(({ key }) => propertyLabel(importedEntity, key))
  const [hidden, readable] = [labels(true), labels(false)]
  return (
    <>
      {hidden.length > 0 && (
        <Note>
          <SensitiveMark /> {importCheckText.hidden({ properties: hidden.join(', ') })}
        </Note>
      )}
      {readable.length > 0 && <Note>{importCheckText.readable({ properties: readable.join(', ') })}</Note>}
    </>
  )
}
