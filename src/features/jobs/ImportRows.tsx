import { Button, Group, NativeSelect, Stack } from '@mantine/core'
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'

import type { ImportRow, Job } from '#contract/index.ts'
import { stripGuard } from '#contract/reading/guards.ts'
import { api, fileUnder } from '../../api/index.ts'
import { PropertyText } from '../../domain/definitions/DefinedValue.tsx'
import { QueryFailure } from '../../domain/failures/InlineFailure.tsx'
import { links } from '../../domain/links.ts'
import { isOpen, jobsPollMs } from '../../domain/queries/jobs.ts'
import { dataTypeName } from '../../domain/values/data-type-name.ts'
import { Mask } from '../../domain/values/Mask.tsx'
import { changeText, jobsText } from '../../messages/index.ts'
import { number } from '../../messages/language/format.ts'
import { Callout } from '../../ui/Callout.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { countsOf, outcomeColor } from './counts.ts'
import { importLabel } from './import-label.ts'
import type { ReportFilter } from './queries.ts'
import type { JobProps } from './view.ts'
import shared from '../../domain/work/Report.module.css'
import classes from './ImportJob.module.css'

const importText = jobsText.import
const rowsText = importText.rows

type OutcomeNames = Readonly<Record<string, string>>

export function nameOutcome({ dryRun }: Job, outcome: string): string | undefined {
  const names: OutcomeNames = dryRun ? importText.would : importText.did
  return names[outcome]
}

export const nameUndone = (undone: string) => (importText.undone as OutcomeNames)[undone]

function rowsQuery(job: Job, filter: ReportFilter) {
  const params = { job_id: job.id }
  return infiniteQueryOptions({
    ...fileUnder('getImportRows', { params, query: { ...filter }, isDryRun: job.dryRun, state: job.state }),
    queryFn: ({ pageParam: offset, signal }) =>
      api.getImportRows({ params, query: { offset, ...filter }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => (next === '' ? undefined : next),
    staleTime: Infinity,
    gcTime: 60_000,
    refetchInterval: isOpen(job) && jobsPollMs,
  })
}

/** Rows of the file with what becomes of each, filterable by that. */
export function ImportRows({ job }: JobProps) {
  const [chosen, setChosen] = useState('')
  const counts = countsOf(job, { nameOutcome, nameUndone })
  const filter = counts.find(({ id }) => id === chosen)?.filter ?? {}
  const query = useInfiniteQuery({ ...rowsQuery(job, filter), placeholderData: keepPreviousData })
  const { data, error, isFetching, isPlaceholderData, hasNextPage, fetchNextPage } = query
  const total = Object.values(job.outcomes ?? {}).reduce((sum, count) => sum + count, 0)
  const rows = data?.pages.flatMap((page) => page.rows.map((row): Listed => ({ job, row })))
  return (
    <Stack gap="md">
      <NativeSelect
        w={260}
        label={rowsText.filter}
        value={chosen}
        onChange={({ currentTarget: { value } }) => setChosen(value)}
        data={[
          { value: '', label: rowsText.option({ outcome: rowsText.all, count: total }) },
          ...counts.map(({ id, name, count }) => ({
            value: id,
            label: rowsText.option({ outcome: name, count }),
          })),
        ]}
      />
      {rows?.some(isStale) === true && <Callout title={rowsText.stale.title}>{rowsText.stale.body}</Callout>}
      {error && !rows ? (
        <QueryFailure title={jobsText.failures.report} query={query} />
      ) : (
        <DataTable
          label={rowsText.label}
          columns={columns}
          rows={rows}
          rowKey={({ row }) => String(row.row)}
          skeletonRows={8}
          pending={isPlaceholderData}
          empty={<p className="ds-dimmed">{rowsText.none}</p>}
        />
      )}
      {hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={isFetching} onClick={() => void fetchNextPage()}>
            {rowsText.more}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

interface Listed extends JobProps {
  readonly row: ImportRow
}

const changedSince = 'changed_since'

/** Whether the user of a row has changed since the check, so that the row would be left out. */
const isStale = ({ job, row: { problems } }: Listed) =>
  job.dryRun && problems.some(({ code }) => code === changedSince)

const columns: readonly Column<Listed>[] = [
  {
    id: 'row',
    header: rowsText.row,
    width: '56px',
    align: 'end',
    narrow: 'labelled',
    cell: ({ row }) => number(row.row),
  },
  {
    id: 'what',
    header: rowsText.what,
    width: '184px',
    tabletWidth: '144px',
    cell: (listed) => {
      const { job, row } = listed
      const { undone } = row
      const outcome = isStale(listed) ? 'conflict' : row.outcome
      return (
        <span className={shared.whole} style={{ color: outcomeColor(undone ?? outcome) }}>
          {undone === undefined ? (nameOutcome(job, outcome) ?? outcome) : (nameUndone(undone) ?? undone)}
        </span>
      )
    },
  },
  {
    id: 'who',
    header: rowsText.user,
    width: '24%',
    cell: ({ row }) => (
      <span className={shared.whole}>
        <Who row={row} />
      </span>
    ),
  },
  {
    id: 'changes',
    header: rowsText.changes,
    cell: ({ row: { problems, changes } }) => (
      <ul className={`${classes.lines ?? ''} ${shared.whole ?? ''}`} data-wraps>
        {problems
          .filter(({ code }) => code !== changedSince)
          .map(({ column, code, cell, detail }) => (
            <li key={`${column ?? ''} ${code}`} style={{ color: 'var(--ds-removed)' }}>
              {cell === undefined ? detail : rowsText.problem({ cell, detail })}
            </li>
          ))}
        {changes.map((change) => (
          <li key={`${change.entity ?? ''} ${change.key}`}>
            <Change change={change} />
          </li>
        ))}
      </ul>
    ),
  },
]

/** User of a row, or else its first cells, by which people recognise it. */
function Who({ row: { user, name, by, cells, outcome, undone } }: Pick<Listed, 'row'>) {
  if (user === undefined)
    return (
      <span dir="auto">
        {cells
          .map((cell) => stripGuard(cell).trim())
          .filter((cell) => cell !== '')
          .slice(0, 2)
          .join(', ')}
      </span>
    )
  const isDeleted = undone === 'not_found' || (undone === 'undone' && outcome === 'created')
  return (
    <>
      <Link to={links.user(user)} dir="auto">
        {name ?? <span className="ds-dimmed">{isDeleted ? rowsText.deleted : rowsText.noName}</span>}
      </Link>
      {by !== undefined && <span className="ds-dimmed"> {(rowsText.by as OutcomeNames)[by] ?? by}</span>}
    </>
  )
}

function Change({ change }: { readonly change: ImportRow['changes'][number] }) {
  const { entity, key, before, typeBefore, after, type = 'TEXT', masked } = change
  const of = { entityType: entity, of: key }
  return (
    <>
      {rowsText.labelBefore({ property: importLabel(entity, key) })}{' '}
      {masked === true ? (
        <Mask />
      ) : (
        <>
          {before !== undefined && (
            <>
              <bdi className="ds-dimmed">
                <PropertyText {...of} type={typeBefore ?? type} value={before} />
              </bdi>{' '}
              {rowsText.becomes}{' '}
            </>
          )}
          <bdi>
            <PropertyText {...of} type={type} value={after} />
          </bdi>
          {typeBefore !== undefined && typeBefore !== type && (
            <span className="ds-dimmed">
              {' · '}
              {changeText.type({ before: dataTypeName(typeBefore), after: dataTypeName(type) })}
            </span>
          )}
        </>
      )}
    </>
  )
}
