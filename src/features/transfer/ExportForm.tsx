import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/Radio.layer.css'

import { Button, Checkbox, Radio, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'

import { offers } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { transferText, userText } from '../../messages/index.ts'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import type { UserSource } from '../../domain/user-list/user-pages.ts'
import { userCountQuery, usersQuery } from '../../domain/queries/users.ts'
import { SegmentPicker } from '../../domain/segments/SegmentPicker.tsx'
import { type UserColumn, userColumns } from './cells.ts'
import type { ExportPlan } from './export.ts'
import { Group } from './Group.tsx'
import { KeyChoice, type KeysChosen } from './KeyChoice.tsx'
import classes from './transfer.module.css'

const text = transferText.export

export interface ExportFormProps {
  readonly segment: string
  readonly search: UserSource['search']
  readonly onSegment: (segment: string) => void
  readonly onStart: (plan: ExportPlan) => Promise<void>
}

const entityTypeRule = /^[a-z][a-z0-9_-]{0,63}$/

/** Who is exported, into what, and with which columns. */
export function ExportForm({ segment, search, onSegment, onStart }: ExportFormProps) {
  const element = useRef<HTMLFormElement>(null)
  const entitiesDenied = useDenied('entities:read')
  const sensitiveDenied = useDenied('entities:read', 'sensitive:read')
  const [isSearch, setSearch] = useState(search !== undefined)
  const [kind, setKind] = useState<'csv' | 'jsonl'>('csv')
  const [separator, setSeparator] = useState<',' | ';'>(',')
  const [marked, setMarked] = useState(true)
  const [fields, setFields] = useState<readonly UserColumn[]>(userColumns)
  const [withProperties, setWithProperties] = useState(false)
  const [entity, setEntity] = useState('person')
  const [keys, setKeys] = useState<KeysChosen>([])
  const [withSensitive, setWithSensitive] = useState(false)
  const [reason, setReason] = useState('')
  const [isTried, setTried] = useState(false)
  const [isStarting, setStarting] = useState(false)

  const source: UserSource = isSearch && search ? { search } : { segment }
  const count = useCount(source)

  const isCsv = kind === 'csv'
  const problems = {
    columns: isCsv && fields.length === 0 && text.noColumns,
    entity: isCsv && withProperties && !entityTypeRule.test(entity) && text.entityInvalid,
    keys: isCsv && withProperties && keys.length === 0 && text.noKeyChosen,
    reason: withProperties && withSensitive && reason.trim() === '' && text.reasonMissing,
  }
  const shown = (problem: string | false) => (isTried && problem !== false ? problem : undefined)

  const start = async () => {
    flushSync(() => setTried(true))
    if (Object.values(problems).some((problem) => problem !== false)) {
      element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
      return
    }
    setStarting(true)
    await onStart({
      source,
      format: isCsv
        ? {
            kind,
            separator,
            byteOrderMark: marked,
            fields,
            ...(withProperties && { properties: { entity, keys } }),
          }
        : { kind: 'jsonl', withEntities: withProperties },
      ...(withProperties && withSensitive && { reason: reason.trim() }),
    })
    setStarting(false)
  }

  return (
    <form
      ref={element}
      noValidate
      className={classes.column}
      onSubmit={(event) => {
        event.preventDefault()
        void start()
      }}
    >
      <Group label={text.who}>
        {search && (
          <>
            <Radio label={text.search(search.q ?? '')} checked={isSearch} onChange={() => setSearch(true)} />
            <Radio label={text.list} checked={!isSearch} onChange={() => setSearch(false)} />
          </>
        )}
        {!isSearch && (
          <div className={classes.short}>
            <SegmentPicker value={segment} onChange={onSegment} />
          </div>
        )}
        <p className={classes.note} aria-live="polite">
          {count && (count.isMore ? text.sizeAtLeast : text.size)(count.total)}
        </p>
      </Group>

      <Group label={text.format}>
        <Radio label={text.csv} description={text.csvHint} checked={isCsv} onChange={() => setKind('csv')} />
        {isCsv && (
          <div className={classes.nested}>
            <Group label={text.separator}>
              <div className={classes.checks}>
                {([',', ';'] as const).map((sign) => (
                  <Radio
                    key={sign}
                    label={text.separators[sign]}
                    checked={separator === sign}
                    onChange={() => setSeparator(sign)}
                  />
                ))}
              </div>
              <p className={classes.note}>{text.separatorHint}</p>
            </Group>
            <Checkbox
              label={text.byteOrderMark}
              checked={marked}
              onChange={(event) => setMarked(event.currentTarget.checked)}
            />
            <p className={classes.note}>{text.formulas}</p>
          </div>
        )}
        <Radio
          label={text.jsonl}
          description={text.jsonlHint}
          checked={!isCsv}
          onChange={() => setKind('jsonl')}
        />
      </Group>

      {isCsv && (
        <Group label={text.columns} error={shown(problems.columns)}>
          <div className={classes.checks}>
            {userColumns.map((column) => (
              <Checkbox
                key={column}
                label={userText.columns[column]}
                checked={fields.includes(column)}
                aria-invalid={shown(problems.columns) !== undefined}
                onChange={(event) => {
                  const { checked } = event.currentTarget
                  setFields(userColumns.filter((name) => (name === column ? checked : fields.includes(name))))
                }}
              />
            ))}
          </div>
        </Group>
      )}

      <Checkbox
        label={isCsv ? text.properties : text.entities}
        description={entitiesDenied ?? (isCsv ? text.propertiesHint : text.entitiesHint)}
        disabled={entitiesDenied !== undefined}
        checked={withProperties}
        onChange={(event) => setWithProperties(event.currentTarget.checked)}
      />
      {withProperties && (
        <div className={classes.nested}>
          {isCsv && (
            <>
              <TextInput
                className={classes.short ?? ''}
                label={text.entity}
                value={entity}
                onChange={(event) => setEntity(event.currentTarget.value)}
                error={shown(problems.entity)}
                autoComplete="off"
                spellCheck={false}
              />
              <KeyChoice
                key={entity}
                entity={entity}
                chosen={keys}
                onChange={setKeys}
                error={shown(problems.keys)}
              />
            </>
          )}
          <Checkbox
            label={
              <span className={classes.keyLabel}>
                {text.sensitive} <SensitiveMark />
              </span>
            }
            description={sensitiveDenied ?? text.sensitiveHint}
            disabled={sensitiveDenied !== undefined}
            checked={withSensitive}
            onChange={(event) => setWithSensitive(event.currentTarget.checked)}
          />
          {withSensitive && (
            <TextInput
              label={text.reason}
              description={offers('sensitive.reveal') ? text.reasonKept : text.reasonNotKept}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
              error={shown(problems.reason)}
              maxLength={500}
              autoComplete="off"
              required
            />
          )}
        </div>
      )}

      <div className={classes.buttons}>
        <Button type="submit" loading={isStarting}>
          {count && !count.isMore ? text.startCount(count.total) : text.start}
        </Button>
      </div>
    </form>
  )
}

function useCount({ search, segment = '' }: UserSource): { total: number; isMore: boolean } | undefined {
  const list = useQuery({ ...userCountQuery(segment), enabled: search === undefined })
  const found = useQuery({
    ...usersQuery({ q: search?.q, segment: search?.segment }),
    enabled: search !== undefined,
    select: ({ total, atLeast }) => ({ total: total ?? undefined, isMore: atLeast === true }),
  })
  const { total, isMore } = search ? { isMore: false, ...found.data } : { total: list.data, isMore: false }
  return total === undefined || total === null ? undefined : { total, isMore }
}
