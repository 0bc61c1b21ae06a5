import { Box, Button, Checkbox, Group, Radio, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ChangeEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

import { offers } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { userCountQuery, usersQuery } from '../../domain/queries/users.ts'
import { SegmentPicker } from '../../domain/segments/SegmentPicker.tsx'
import type { UserSource } from '../../domain/user-list/user-pages.ts'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import { transferText, userText } from '../../messages/index.ts'
import { userColumns } from './cells.ts'
import type { ExportPlan } from './export.ts'
import { type Chosen, planOf, problemsOf, usual } from './export-choices.ts'
import { KeyChoice } from './KeyChoice.tsx'
import { Buttons, Choices, Nested, Note } from './layout.tsx'

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
  const [chosen, setChosen] = useState(usual)
  const [isTried, setTried] = useState(false)
  const [isStarting, setStarting] = useState(false)
  const source: UserSource = isSearch && search ? { search } : { segment }
  const count = useCount(source)
  const problems = problemsOf(chosen)

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
    set: (change) => setChosen((before) => ({ ...before, ...change })),
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
              <SegmentPicker value={segment} onChange={onSegment} />
            </Box>
          )}
          <Note aria-live="polite">
            {count && (count.isMore ? text.sizeAtLeast : text.size)(count.total)}
          </Note>
        </Choices>
        <Format {...parts} />
        {chosen.kind === 'csv' && <Columns {...parts} />}
        <Properties {...parts} />
        <Buttons>
          <Button type="submit" loading={isStarting}>
            {count && !count.isMore ? text.startCount(count.total) : text.start}
          </Button>
        </Buttons>
      </Stack>
    </form>
  )
}

interface PartProps {
  readonly chosen: Chosen
  readonly set: (change: Partial<Chosen>) => void
  /** Those that are shown. */
  readonly problems: ReturnType<typeof problemsOf>
}

const isChecked = (event: ChangeEvent<HTMLInputElement>) => event.currentTarget.checked

function Format({ chosen, set }: PartProps) {
  const isCsv = chosen.kind === 'csv'
  return (
    <Choices label={text.format}>
      <Radio
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

function Properties({ chosen, set, problems }: PartProps) {
  const { kind, withProperties, entity, keys, withSensitive, reason } = chosen
  const entitiesDenied = useDenied('entities:read')
  const sensitiveDenied = useDenied('entities:read', 'sensitive:read')
  const isCsv = kind === 'csv'
  const given = { autoComplete: 'off', spellCheck: false }
  return (
    <>
      <Checkbox
        label={isCsv ? text.properties : text.entities}
        description={entitiesDenied ?? (isCsv ? text.propertiesHint : text.entitiesHint)}
        disabled={entitiesDenied !== undefined}
        checked={withProperties}
        onChange={(event) => set({ withProperties: isChecked(event) })}
      />
      {withProperties && (
        <Nested>
          {isCsv && (
            <>
              <TextInput
                maw={280}
                label={text.entity}
                value={entity}
                onChange={(event) => set({ entity: event.currentTarget.value })}
                error={problems.entity}
                {...given}
              />
              <KeyChoice
                key={entity}
                entity={entity}
                chosen={keys}
                onChange={(keys) => set({ keys })}
                error={problems.keys}
              />
            </>
          )}
          <Checkbox
            label={
              <>
                {text.sensitive} <SensitiveMark />
              </>
            }
            description={sensitiveDenied ?? text.sensitiveHint}
            disabled={sensitiveDenied !== undefined}
            checked={withSensitive}
            onChange={(event) => set({ withSensitive: isChecked(event) })}
          />
          {withSensitive && (
            <TextInput
              label={text.reason}
              description={offers('sensitive.reveal') ? text.reasonKept : text.reasonNotKept}
              value={reason}
              onChange={(event) => set({ reason: event.currentTarget.value })}
              error={problems.reason}
              maxLength={500}
              required
              {...given}
            />
          )}
        </Nested>
      )}
    </>
  )
}

function useCount({ search, segment = '' }: UserSource): { total: number; isMore: boolean } | undefined {
  const list = useQuery({ ...userCountQuery(segment), enabled: !search })
  const found = useQuery({ ...usersQuery({ q: search?.q, segment: search?.segment }), enabled: !!search })
  const total = search ? found.data?.total : list.data
  const isMore = search !== undefined && found.data?.atLeast === true
  return typeof total === 'number' ? { total, isMore } : undefined
}
