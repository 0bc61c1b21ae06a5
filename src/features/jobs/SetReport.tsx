import { Button, Group, NativeSelect, Stack } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'

import type { Job, JobEntry } from '#contract/index.ts'
import { byteOrderMark, writeRows } from '#contract/reading/table.ts'
import { storedText } from '#contract/reading/written.ts'
import { api } from '../../api/index.ts'
import { DefinedValue } from '../../domain/definitions/DefinedValue.tsx'
import type { NamedProperty } from '../../domain/definitions/definitions.ts'
import { useDefinedProperty } from '../../domain/definitions/use-definitions.ts'
import { InlineFailure, QueryFailure } from '../../domain/failures/InlineFailure.tsx'
import { isSetJob, type SetJob } from '../../domain/jobs/job-name.ts'
import { typeLabel } from '../../domain/labels.ts'
import { links } from '../../domain/links.ts'
import { Mask } from '../../domain/values/Mask.tsx'
import { ProgressLine } from '../../domain/work/ProgressLine.tsx'
import { saveText } from '../../domain/work/sink.ts'
import { type Run, useWork } from '../../domain/work/use-work.ts'
import { jobsText, sharedText } from '../../messages/index.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { countsOf, outcomeColor } from './counts.ts'
import { reportQuery } from './queries.ts'
import type { JobProps } from './view.ts'
import shared from '../../domain/work/Report.module.css'

const reportText = jobsText.set.report

type Names = Readonly<Record<string, string>>

export function nameOutcome({ dryRun, set }: Job, outcome: string): string | undefined {
  if (outcome === 'no_entity') return reportText.noEntity.asValue({ type: typeLabel(set?.entity ?? '') })
  const names: Names = dryRun ? reportText.would : reportText.did
  return names[outcome]
}

export const nameUndone = (undone: string) => (reportText.undone as Names)[undone]

/** Returns the label of what became of a user: of the undo, if there is one. */
const resultName = (job: SetJob, { outcome, undone }: JobEntry) =>
  undone === undefined ? (nameOutcome(job, outcome) ?? outcome) : (nameUndone(undone) ?? undone)

function noteOf({ outcome, undone, code, detail }: JobEntry): string {
  if (code === 'insufficient_scope') return reportText.notes.forbidden
  if (undone === 'conflict') return reportText.notes.undoConflict
  const note = (reportText.notes as Names)[outcome]
  return note ?? detail ?? ''
}

const isEffect = ({ outcome }: JobEntry): boolean =>
  ['waiting', 'created', 'added', 'changed'].includes(outcome)
const isSet = (entry: JobEntry): boolean => isEffect(entry) && entry.undone !== 'undone'

/** Writes the whole report to a file; progress is the number of users read. */
function reportFile(job: SetJob): Run<number, void> {
  return async (signal, onProgress) => {
    const { columns } = reportText
    const rows: string[][] = [Object.values(columns)]
    const params = { job_id: job.id }
    let offset = ''
    do {
      const { users, next } = await api.getJobReport({ params, query: { offset }, signal })
      for (const entry of users) rows.push(cells(job, entry))
      onProgress(rows.length - 1)
      offset = next ?? ''
    } while (offset !== '')
    const day = new Date().toISOString().slice(0, 10)
    const name = reportText.fileName({ entity: job.set.entity, day })
    await saveText({ name, type: 'text/csv' }, byteOrderMark + writeRows(rows, ','))
  }
}

function cells(job: SetJob, entry: JobEntry): string[] {
  const { user, name, entity, before, typeBefore, masked } = entry
  const { type, value, masked: isSetMasked, erased: isErased } = job.set
  const mask = masked === true ? reportText.hidden : undefined
  return [
    user,
    name ?? '',
    entity ?? '',
    resultName(job, entry),
    mask ?? storedText(typeBefore ?? type, before),
    isSet(entry)
      ? (mask ??
        (isErased === true
          ? reportText.erased
          : isSetMasked === true
            ? reportText.hidden
            : storedText(type, value)))
      : '',
    noteOf(entry),
  ]
}

/** Table of the outcome for each user, actual or predicted by the dry run; filterable by outcome. */
export function SetReport({ job }: JobProps) {
  return isSetJob(job) && <Report job={job} />
}

function Report({ job }: { readonly job: SetJob }) {
  const [chosen, setChosen] = useState('')
  const property = useDefinedProperty(job.set.entity, job.set.key)
  const counts = countsOf(job, { nameOutcome, nameUndone })
  const total = Object.values(job.outcomes ?? {}).reduce((sum, count) => sum + count, 0)
  const filter = counts.find(({ id }) => id === chosen)?.filter ?? {}
  const query = useInfiniteQuery({ ...reportQuery(job, filter), placeholderData: keepPreviousData })
  const { data, error, isFetching, isPlaceholderData, hasNextPage, fetchNextPage } = query
  const rows = data?.pages.flatMap(({ users }) => users.map((entry): ReportRow => ({ job, entry, property })))
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-end" gap="sm">
        <NativeSelect
          w={240}
          label={reportText.filter}
          value={chosen}
          onChange={({ currentTarget: { value } }) => setChosen(value)}
          data={[
            { value: '', label: reportText.option({ outcome: reportText.all, count: total }) },
            ...counts.map(({ id, name, count }) => ({
              value: id,
              label: reportText.option({ outcome: name, count }),
            })),
          ]}
        />
        <Download job={job} total={total} />
      </Group>
      {error && !rows ? (
        <QueryFailure title={jobsText.failures.report} query={query} />
      ) : (
        <DataTable
          label={reportText.label}
          columns={job.dryRun ? reportColumns.would : reportColumns.did}
          rows={rows}
          rowKey={({ entry }) => entry.user}
          skeletonRows={8}
          pending={isPlaceholderData}
          empty={<p className="ds-dimmed">{reportText.none}</p>}
        />
      )}
      {hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={isFetching} onClick={() => void fetchNextPage()}>
            {reportText.more}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function Download({ job, total }: { readonly job: SetJob; readonly total: number }) {
  const { work, begin, pause } = useWork<number>()
  if (work.phase === 'running')
    return (
      <Group gap="sm">
        <ProgressLine label={reportText.download} done={work.progress ?? 0} of={total} />
        <Button variant="default" onClick={pause}>
          {sharedText.cancel}
        </Button>
      </Group>
    )
  return (
    <>
      <Button variant="default" onClick={() => begin(reportFile(job))}>
        {reportText.download}
      </Button>
      {work.phase === 'failed' && <InlineFailure title={reportText.notDownloaded} error={work.error} />}
    </>
  )
}

interface ReportRow {
  readonly job: SetJob
  readonly entry: JobEntry
  /** Definition of the property that the job sets. */
  readonly property: NamedProperty | undefined
}

const createColumns = (change: string): readonly Column<ReportRow>[] => [
  {
    id: 'user',
    header: reportText.user,
    width: '24%',
    cell: ({ entry: { user, name, outcome } }) =>
      outcome === 'not_found' ? (
        <span className="ds-dimmed ds-mono">{user.slice(-8)}</span>
      ) : (
        <Link to={links.user(user)} dir="auto">
          {name ?? <span className="ds-dimmed">{reportText.noName}</span>}
        </Link>
      ),
  },
  {
    id: 'what',
    header: reportText.what,
    width: '20%',
    cell: ({ job, entry }) => (
      <span className={shared.whole} style={{ color: outcomeColor(entry.undone ?? entry.outcome) }}>
        {resultName(job, entry)}
      </span>
    ),
  },
  {
    id: 'change',
    header: change,
    cell: (row) => (
      <span className={shared.whole}>
        <BeforeAfter {...row} />
      </span>
    ),
  },
  {
    id: 'note',
    header: reportText.note,
    width: '26%',
    cell: ({ entry }) => <span className={shared.whole}>{noteOf(entry)}</span>,
  },
]
const reportColumns = {
  would: createColumns(reportText.change),
  did: createColumns(reportText.changed),
}

function BeforeAfter({ job, entry, property }: ReportRow) {
  const { before, typeBefore, masked, outcome } = entry
  const { type, value, masked: isSetMasked, erased: isErased } = job.set
  const old =
    masked === true ? (
      <Mask />
    ) : before === undefined ? (
      isEffect(entry) && <span className="ds-dimmed">{reportText.wasNot}</span>
    ) : (
      <DefinedValue type={typeBefore ?? type} value={before} property={property} />
    )
  if (!isSet(entry) || (outcome === 'waiting' && job.dryRun)) return old
  return (
    <>
      {old} <span className="ds-dimmed">→</span>{' '}
      {masked === true || isSetMasked === true ? (
        <Mask />
      ) : isErased === true ? (
        <span className="ds-dimmed">{reportText.erased}</span>
      ) : (
        <DefinedValue type={type} value={value} property={property} />
      )}
    </>
  )
}
