import { Box, Button, Checkbox, Group, Radio, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'

import { userCountQuery, usersQuery } from '../../domain/queries/users.ts'
import { SegmentPicker } from '../../domain/segments/SegmentPicker.tsx'
import type { UserSource } from '../../domain/user-list/user-pages.ts'
import { transferText, userText } from '../../messages/index.ts'
import { userColumns } from './cells.ts'
import type { ExportPlan } from './export.ts'
import { type Choice, chosenOf, isChecked, type PartProps, planOf, problemsOf } from './export-choices.ts'
import { ExportProperties } from './ExportProperties.tsx'
import { Buttons, Choices, Nested, Note } from './layout.tsx'
import { useAsked } from './use-asked.ts'

const text = transferText.export

export interface ExportFormProps {
  readonly segment: string
  readonly search: UserSource['search']
  readonly onSegment: (segment: string) => void
  readonly onStart: (plan: ExportPlan) => Promise<void>
}

/** Who is exported, into what, and with which columns. */
export function ExportForm({ segment, search, onSegment, onStart }: ExportFormProps) {
  const element = useRef<HTMLFormElement>(null)
  const [isSearch, setSearch] = useState(search !== undefined)
  const [choice, setChoice] = useState<Choice>({})
  const [isTried, setTried] = useState(false)
  const [isStarting, setStarting] = useState(false)
  const source: UserSource = isSearch && search ? { search } : { segment }
  const count = useCount(source)
  const asked = useAsked(isSearch ? '' : segment)
  const chosen = chosenOf(asked, choice)
  const problems = problemsOf(chosen)

  const chooseSegment = (next: string) => {
    onSegment(next)
    // Another segment asks for other entities, with other keys.
    if (choice.entity === undefined) setChoice((before) => ({ ...before, keys: [] }))
  }
  const start = async () => {
    flushSync(() => setTried(true))
    if (Object.keys(problems).length > 0) {
      element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
      return
    }
    setStarting(true)
    await onStart(planOf(source, chosen))
    setStarting(false)
  }

  const parts: PartProps = {
    chosen,
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
        <Choices label={text.who}>
          {search && (
            <>
              <Radio
                label={text.search(search.q ?? '')}
                checked={isSearch}
                onChange={() => setSearch(true)}
              />
              <Radio label={text.list} checked={!isSearch} onChange={() => setSearch(false)} />
            </>
          )}
          {!isSearch && (
            <Box maw={280}>
              <SegmentPicker value={segment} onChange={chooseSegment} />
            </Box>
          )}
          <Note aria-live="polite">
            {count && (count.isMore ? text.sizeAtLeast : text.size)(count.total)}
          </Note>
        </Choices>
        <Format {...parts} />
        {chosen.kind === 'csv' && <Columns {...parts} />}
        <ExportProperties {...parts} asked={asked} />
        <Buttons>
          <Button type="submit" loading={isStarting}>
            {count && !count.isMore ? text.startCount(count.total) : text.start}
          </Button>
        </Buttons>
      </Stack>
    </form>
  )
}

function Format({ chosen, set }: PartProps) {
  const isCsv = chosen.kind === 'csv'
  return (
    <Choices label={text.format}>
      <Radio
        name="format"
        label={text.csv}
        description={text.csvHint}
        checked={isCsv}
        onChange={() => set({ kind: 'csv' })}
      />
      {isCsv && (
        <Nested>
          <Choices label={text.separator}>
            <Group gap="8px 20px">
              {([',', ';'] as const).map((separator) => (
                <Radio
                  key={separator}
                  name="separator"
                  label={text.separators[separator]}
                  checked={chosen.separator === separator}
                  onChange={() => set({ separator })}
                />
              ))}
            </Group>
            <Note>{text.separatorHint}</Note>
          </Choices>
          <Checkbox
            label={text.byteOrderMark}
            checked={chosen.byteOrderMark}
            onChange={(event) => set({ byteOrderMark: isChecked(event) })}
          />
          <Note>{text.formulas}</Note>
        </Nested>
      )}
      <Radio
        name="format"
        label={text.jsonl}
        description={text.jsonlHint}
        checked={!isCsv}
        onChange={() => set({ kind: 'jsonl' })}
      />
    </Choices>
  )
}

function Columns({ chosen: { fields }, set, problems }: PartProps) {
  return (
    <Choices label={text.columns} error={problems.columns}>
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

function useCount({ search, segment = '' }: UserSource): { total: number; isMore: boolean } | undefined {
  const list = useQuery({ ...userCountQuery(segment), enabled: !search })
  const found = useQuery({ ...usersQuery({ q: search?.q, segment: search?.segment }), enabled: !!search })
  const total = search ? found.data?.total : list.data
  const isMore = search !== undefined && found.data?.atLeast === true
  return typeof total === 'number' ? { total, isMore } : undefined
}
