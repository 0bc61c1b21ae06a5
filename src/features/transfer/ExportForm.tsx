import { Box, Button, Checkbox, Group, Radio, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

import { maxBatchIds, maxSortedUsers, userColumns } from '#contract/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { segmentsQuery } from '../../domain/queries/segments.ts'
import { userCountQuery, usersQuery } from '../../domain/queries/users.ts'
import { SegmentPicker } from '../../domain/segments/SegmentPicker.tsx'
import type { UserSource } from '../../domain/user-list/user-pages.ts'
import { userExportText, userText } from '../../messages/index.ts'
import { Announced } from '../../ui/AnnouncedPart.tsx'
import {
  type MatchableTypes,
  fillChoice,
  type ExportChoice,
  type ExportPartProps,
  exportProblems,
  columnTitles,
  type ExportBody,
  isChecked,
  toRequest,
} from './export-choices.ts'
import { buildFilter, FoundTooMany, isSortable, listTypes, selectionOf } from './exported-users.ts'
import { ExportProperties } from './ExportProperties.tsx'
import { Buttons, Choices, Nested, Note } from './layout.tsx'

export interface ExportFormProps {
  readonly segment: string
  /** Ids of the users selected in the list; undefined without a selection. */
  readonly ids: readonly string[] | undefined
  readonly search: UserSource['search']
  readonly onSegment: (segment: string) => void
  readonly onStart: (body: ExportBody) => Promise<void>
}

export function ExportForm({ segment, ids, search, onSegment, onStart }: ExportFormProps) {
  const element = useRef<HTMLFormElement>(null)
  const [from, setFrom] = useState<FromWhere>(ids ? 'ids' : search ? 'search' : 'list')
  const [choice, setChoice] = useState<ExportChoice>({})
  const [isTried, setTried] = useState(false)
  const [isStarting, setStarting] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const source: UserSource =
    from === 'ids' && ids ? { ids } : from === 'search' && search ? { search } : { segment }
  const count = useCount(source)
  const isSorted = isSortable(source, count && !count.isMore ? count.total : undefined)
  const matchable = useMatchableTypes(source)
  const chosen = fillChoice(matchable, choice)
  const problems = exportProblems(chosen)

  const chooseSegment = (next: string) => {
    onSegment(next)
    // Another segment may refer to other entity types, which have other keys.
    if (choice.entity === undefined) setChoice((before) => ({ ...before, keys: [] }))
  }
  const start = async () => {
    flushSync(() => setTried(true))
    if (Object.keys(problems).length > 0) {
      element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
      return
    }
    setStarting(true)
    setFailure(undefined)
    try {
      await onStart(toRequest(await selectionOf(source, isSorted), chosen))
    } catch (error) {
      setFailure(error)
    } finally {
      setStarting(false)
    }
  }

  const parts: ExportPartProps = {
    chosen,
    matchable,
    problems: isTried ? problems : {},
    set: (change) => setChoice((before) => ({ ...before, ...change })),
  }
  return (
    <form
      ref={element}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void start()
      }}
    >
      <Stack gap={20}>
        <Choices label={userExportText.who}>
          <From {...{ ids, search, from, setFrom }} />
          {from === 'list' && (
            <Box maw={280}>
              <SegmentPicker value={segment} onChange={chooseSegment} />
            </Box>
          )}
          <Size of={count} />
          {count && source.search?.sort !== undefined && !isSorted && (
            <Note>{userExportText.unsorted({ count: maxSortedUsers })}</Note>
          )}
        </Choices>
        <Format {...parts} />
        {chosen.kind !== 'ndjson' && <Columns {...parts} />}
        <ExportProperties {...parts} />
        {failure !== undefined && <ExportFailure error={failure} />}
        <Buttons>
          <Button type="submit" loading={isStarting}>
            {count && !count.isMore
              ? userExportText.startCount({ count: count.total })
              : userExportText.start}
          </Button>
        </Buttons>
      </Stack>
    </form>
  )
}

function Size({ of: count }: { readonly of: ReturnType<typeof useCount> }) {
  const { size, sizeAtLeast } = userExportText
  return (
    <Note>
      <Announced>{count && (count.isMore ? sizeAtLeast : size)({ count: count.total })}</Announced>
    </Note>
  )
}

function ExportFailure({ error }: { readonly error: unknown }) {
  const { notBegun, tooMany, tooManyBody } = userExportText
  if (error instanceof FoundTooMany)
    return <InlineFailure title={tooMany({ count: maxBatchIds })}>{tooManyBody}</InlineFailure>
  return <InlineFailure title={notBegun} error={error} />
}

type FromWhere = 'ids' | 'search' | 'list'
interface FromProps extends Pick<ExportFormProps, 'ids' | 'search'> {
  readonly from: FromWhere
  readonly setFrom: (from: FromWhere) => void
}

/** Choice between the selection or search that led here and a list. Empty without a selection or search. */
function From({ ids, search, from, setFrom }: FromProps) {
  const choice = (value: FromWhere, label: string) => (
    <Radio name="who" label={label} checked={from === value} onChange={() => setFrom(value)} />
  )
  return (
    <>
      {ids && choice('ids', userExportText.selected({ count: ids.length }))}
      {search && choice('search', searchLabel(search))}
      {(ids ?? search) && choice('list', userExportText.list)}
    </>
  )
}

function searchLabel({ q: query, filter }: NonNullable<UserSource['search']>): string {
  const { whole, filtered, found, foundFiltered } = userExportText.search
  if (query === undefined) return filter ? filtered : whole
  return (filter ? foundFiltered : found)({ query })
}

const formats = [
  ['csv', userExportText.csv, userExportText.csvHint],
  ['xlsx', userExportText.xlsx, userExportText.xlsxHint],
  ['ndjson', userExportText.jsonl, userExportText.jsonlHint],
] as const

function Format({ chosen, set }: ExportPartProps) {
  return (
    <Choices label={userExportText.format}>
      {formats.map(([kind, label, description]) => (
        <Fragment key={kind}>
          <Radio
            name="format"
            label={label}
            description={description}
            checked={chosen.kind === kind}
            onChange={() => set({ kind })}
          />
          {chosen.kind === kind && kind !== 'ndjson' && (
            <Nested>
              {kind === 'csv' && <Separator {...{ chosen, set }} />}
              <Titles {...{ chosen, set }} />
              {kind === 'csv' && <Signs {...{ chosen, set }} />}
            </Nested>
          )}
        </Fragment>
      ))}
    </Choices>
  )
}

type FormatProps = Pick<ExportPartProps, 'chosen' | 'set'>

function Separator({ chosen, set }: FormatProps) {
  return (
    <Choices label={userExportText.separator}>
      <Group gap="8px 20px">
        {([',', ';'] as const).map((separator) => (
          <Radio
            key={separator}
            name="separator"
            label={userExportText.separators[separator]}
            checked={chosen.separator === separator}
            onChange={() => set({ separator })}
          />
        ))}
      </Group>
      <Note>{userExportText.separatorHint}</Note>
    </Choices>
  )
}

function Titles({ chosen, set }: FormatProps) {
  return (
    <Choices label={userExportText.titles}>
      <Group gap="8px 20px">
        {columnTitles.map((titles) => (
          <Radio
            key={titles}
            name="titles"
            label={userExportText.titleForms[titles]}
            checked={chosen.titles === titles}
            onChange={() => set({ titles })}
          />
        ))}
      </Group>
      <Note>{userExportText.titlesHint}</Note>
    </Choices>
  )
}

function Signs({ chosen, set }: FormatProps) {
  return (
    <>
      <Checkbox
        label={userExportText.byteOrderMark}
        checked={chosen.byteOrderMark}
        onChange={(event) => set({ byteOrderMark: isChecked(event) })}
      />
      <Note>{userExportText.formulas}</Note>
    </>
  )
}

function Columns({ chosen: { fields }, set, problems }: ExportPartProps) {
  return (
    <Choices label={userExportText.columns} error={problems.columns}>
      <Group gap="8px 20px">
        {userColumns.map((column) => (
          <Checkbox
            key={column}
            label={userText.columns[column]}
            checked={fields.includes(column)}
            aria-invalid={problems.columns !== undefined}
            onChange={(event) =>
              set({
                fields: userColumns.filter((name) =>
                  name === column ? isChecked(event) : fields.includes(name),
                ),
              })
            }
          />
        ))}
      </Group>
    </Choices>
  )
}

function useCount({ ids, search, segment = '' }: UserSource): { total: number; isMore: boolean } | undefined {
  const list = useQuery({ ...userCountQuery(segment), enabled: !search && !ids })
  const found = useQuery({ ...usersQuery(search ?? {}), enabled: !!search })
  const total = ids ? ids.length : search ? found.data?.total : list.data
  const isMore = search !== undefined && found.data?.atLeast === true
  return typeof total === 'number' ? { total, isMore } : undefined
}

function useMatchableTypes(source: UserSource): MatchableTypes {
  const denied = useDenied('segments:read')
  const isWithin = Boolean(source.search?.segment ?? source.segment)
  const { data = [] } = useQuery({ ...segmentsQuery(), enabled: isWithin && denied === undefined })
  return {
    // Users found by text are named by id, and match no filter.
    types: source.search?.q === undefined ? listTypes(buildFilter(source).filter, data) : [],
    denied,
  }
}
