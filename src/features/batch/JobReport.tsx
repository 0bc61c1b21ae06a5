import { Button, Group, NativeSelect, Stack } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'

import { effects, type JobEntry, outcomes as allOutcomes, undoOutcomes } from '#contract/index.ts'
import { byteOrderMark, writeRows } from '#contract/reading/table.ts'
import { storedText } from '#contract/reading/written.ts'
import { api } from '../../api/index.ts'
import { DefinedValue } from '../../domain/definitions/DefinedValue.tsx'
import type { NamedProperty } from '../../domain/definitions/definitions.ts'
import { useDefinedProperty } from '../../domain/definitions/use-definitions.ts'
import { InlineFailure, QueryFailure } from '../../domain/failures/InlineFailure.tsx'
import type { SetJob } from '../../domain/jobs/job-name.ts'
import { typeLabel } from '../../domain/labels.ts'
import { links } from '../../domain/links.ts'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import { ProgressLine } from '../../domain/work/ProgressLine.tsx'
import { saveText } from '../../domain/work/sink.ts'
import { type Run, useWork } from '../../domain/work/use-work.ts'
import { batchText, sharedText } from '../../messages/index.ts'
import { number } from '../../messages/language/format.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { type ReportFilter, reportQuery } from './queries.ts'
import shared from '../../domain/work/Report.module.css'
import classes from './BatchForm.module.css'

/** Returns the label of an outcome; an outcome unknown to this console is shown as its code. */
function outcomeName({ dryRun, set }: SetJob, outcome: string): string {
  if (outcome === 'no_entity') return batchReportText.noEntity({ type: typeLabel(set.entity) })
  const names: Readonly<Record<string, string>> = dryRun ? batchReportText.would : batchReportText.did
  return names[outcome] ?? outcome
}

const undoneName = (undone: string) =>
  (batchReportText.undone as Readonly<Record<string, string>>)[undone] ?? undone

/** Returns the label of what became of a user: of the undo, if there is one. */
const resultName = (job: SetJob, { outcome, undone }: JobEntry) =>
  undone === undefined ? outcomeName(job, outcome) : undoneName(undone)

function noteOf({ outcome, undone, code, detail }: JobEntry): string {
  if (code === 'insufficient_scope') return batchReportText.notes.forbidden
  if (undone === 'conflict') return batchReportText.notes.undoConflict
  const note = (batchReportText.notes as Readonly<Record<string, string>>)[outcome]
  return note ?? detail ?? ''
}

const isEffect = ({ outcome }: JobEntry): boolean =>
  ['waiting', 'created', 'added', 'changed'].includes(outcome)
const isSet = (entry: JobEntry): boolean => isEffect(entry) && entry.undone !== 'undone'

/** Writes the whole report to a file; progress is the number of users read. */
function reportFile(job: SetJob): Run<number, void> {
  return async (signal, onProgress) => {
    const { columns } = batchReportText
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
    const name = batchReportText.fileName({ entity: job.set.entity, day })
    await saveText({ name, type: 'text/csv' }, byteOrderMark + writeRows(rows, ','))
  }
}

function cells(job: SetJob, entry: JobEntry): string[] {
  const { user, name, entity, before, typeBefore, masked } = entry
  const { type, value, masked: isSetMasked } = job.set
  const mask = masked === true ? batchReportText.hidden : undefined
  return [
    user,
    name ?? '',
    entity ?? '',
    resultName(job, entry),
    mask ?? storedText(typeBefore ?? type, before),
    isSet(entry) ? (mask ?? (isSetMasked === true ? batchReportText.hidden : storedText(type, value))) : '',
    noteOf(entry),
  ]
}

const batchReportText = batchText.report

const colors: Readonly<Record<string, `var(--${string})`>> = {
  created: 'var(--ds-added)',
  added: 'var(--ds-added)',
  changed: 'var(--ds-added)',
  undone: 'var(--ds-added)',
  refused: 'var(--ds-removed)',
  conflict: 'var(--ds-removed)',
}
const outcomeColor = (outcome: string) => colors[outcome] ?? 'var(--mantine-color-text)'

export const describeCounts = (job: SetJob) =>
  countsOf(job)
    .map(({ name, count }) => batchReportText.counted({ outcome: name, count }))
    .join(', ')

export function Counts({ job }: { readonly job: SetJob }) {
  return (
    <dl className={shared.counts}>
      {countsOf(job).map(({ id, name, color, count }) => (
        <div key={id}>
          <dt>{name}</dt>
          <dd style={{ color }}>{number(count)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Table of the outcome for each user, actual or predicted by the dry run; filterable by outcome. */
export function JobReport({ job }: { readonly job: SetJob }) {
  const [chosen, setChosen] = useState('')
  const property = useDefinedProperty(job.set.entity, job.set.key)
  const counts = countsOf(job)
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
          label={batchReportText.filter}
          value={chosen}
          onChange={({ currentTarget: { value } }) => setChosen(value)}
          data={[
            { value: '', label: batchReportText.option({ outcome: batchReportText.all, count: total }) },
            ...counts.map(({ id, name, count }) => ({
              value: id,
              label: batchReportText.option({ outcome: name, count }),
            })),
          ]}
        />
        <Download job={job} total={total} />
      </Group>
      {error && !rows ? (
        <QueryFailure title={batchText.failures.report} query={query} />
      ) : (
        <DataTable
          label={batchReportText.label}
          columns={job.dryRun ? reportColumns.would : reportColumns.did}
          rows={rows}
          rowKey={({ entry }) => entry.user}
          skeletonRows={8}
          pending={isPlaceholderData}
          empty={<p className="ds-dimmed">{batchReportText.none}</p>}
        />
      )}
      {hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={isFetching} onClick={() => void fetchNextPage()}>
            {batchReportText.more}
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
        <ProgressLine label={batchReportText.download} done={work.progress ?? 0} of={total} />
        <Button variant="default" onClick={pause}>
          {sharedText.cancel}
        </Button>
      </Group>
    )
  return (
    <>
      <Button variant="default" onClick={() => begin(reportFile(job))}>
        {batchReportText.download}
      </Button>
      {work.phase === 'failed' && <InlineFailure title={batchReportText.notDownloaded} error={work.error} />}
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
    header: batchReportText.user,
    width: '24%',
    cell: ({ entry: { user, name, outcome } }) =>
      outcome === 'not_found' ? (
        <span className="ds-dimmed ds-mono">{user.slice(-8)}</span>
      ) : (
        <Link to={links.user(user)} dir="auto">
          {name ?? <span className="ds-dimmed">{batchReportText.noName}</span>}
        </Link>
      ),
  },
  {
    id: 'what',
    header: batchReportText.what,
    width: '20%',
    cell: ({ job, entry }) => (
      <span style={{ color: outcomeColor(entry.undone ?? entry.outcome) }}>{resultName(job, entry)}</span>
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
    header: batchReportText.note,
    width: '26%',
    cell: ({ entry }) => <span className={shared.whole}>{noteOf(entry)}</span>,
  },
]
const reportColumns = {
  would: createColumns(batchReportText.change),
  did: createColumns(batchReportText.changed),
}

function BeforeAfter({ job, entry, property }: ReportRow) {
  const { before, typeBefore, masked, outcome } = entry
  const { type, value, masked: isSetMasked } = job.set
  const old =
    masked === true ? (
      <MaskedValue />
    ) : before === undefined ? (
      isEffect(entry) && <span className="ds-dimmed">{batchReportText.wasNot}</span>
    ) : (
      <DefinedValue type={typeBefore ?? type} value={before} property={property} />
    )
  if (!isSet(entry) || (outcome === 'waiting' && job.dryRun)) return old
  return (
    <>
      {old} <span className={classes.arrow}>→</span>{' '}
      {masked === true || isSetMasked === true ? (
        <MaskedValue />
      ) : (
        <DefinedValue type={type} value={value} property={property} />
      )}
    </>
  )
}

function MaskedValue() {
  return (
    <span className="ds-dimmed">
      {batchReportText.hidden} <SensitiveMark />
    </span>
  )
}

interface Count {
  readonly id: string
  readonly name: string
  readonly color: string
  readonly count: number
  readonly filter: ReportFilter
}

/** Returns the counts by result: those of the undo in place of what the job had changed, if there is one. */
function countsOf(job: SetJob): Count[] {
  const { outcomes = {}, undone = {}, undo } = job
  const changed: readonly string[] = undo === true ? effects : []
  return [
    ...allOutcomes.flatMap((outcome) => {
      const count = outcomes[outcome]
      if (count === undefined || changed.includes(outcome)) return []
      const name = outcomeName(job, outcome)
      return [{ id: outcome, name, color: outcomeColor(outcome), count, filter: { outcome } }]
    }),
    ...undoOutcomes.flatMap((each) => {
      const count = undone[each]
      if (count === undefined) return []
      const color = outcomeColor(each)
      return [{ id: `undone ${each}`, name: undoneName(each), color, count, filter: { undone: each } }]
    }),
  ]
}
