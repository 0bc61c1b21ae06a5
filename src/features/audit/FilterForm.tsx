import { Button, Group, Stack } from '@mantine/core'
import { type FormEvent, use, useState } from 'react'

import { auditKinds } from '#contract/index.ts'
import { UserField } from '../../domain/people/UserField.tsx'
import { Choice } from '../../domain/values/Field.tsx'
import { MomentInput } from '../../domain/values/MomentInput.tsx'
import { auditText } from '../../messages/index.ts'
import { FormPopover, type FormPopoverProps } from '../../ui/FormPopover.tsx'
import { afterSubmit, dayMs, momentOf, SpanPresets, typedMoment } from '../../ui/moments.tsx'
import type { Zones } from '../../ui/time.ts'
import { ZonesContext } from '../../ui/Timestamp.tsx'
import classes from './AuditPage.module.css'
import { ActorField, KeyField, Labelled } from './fields.tsx'
import { type AuditFilter, everything } from './filter.ts'
import { isUserId } from '../../domain/people/UserSuggest.tsx'

const filterText = auditText.filter

const anything = { value: '', label: filterText.any }

interface FieldsProps {
  readonly filter: AuditFilter
  readonly onChange: (filter: AuditFilter) => void
}

interface Preset {
  readonly from: Date
  readonly to?: Date
}

const upToNow = (ms: number) => (): Preset => ({ from: new Date(Date.now() - ms) })

/** The whole month before this one, by the calendar of the zone that is shown. */
function lastMonth(shown: Zones['shown']): Preset {
  const now = new Date()
  const [year, month] =
    shown === 'utc' ? [now.getUTCFullYear(), now.getUTCMonth()] : [now.getFullYear(), now.getMonth()]
  const first = (of: number) => (shown === 'utc' ? new Date(Date.UTC(year, of, 1)) : new Date(year, of, 1))
  return { from: first(month - 1), to: first(month) }
}

/** Form with all filters of the audit log. An invalid value stays as typed and shows its problem. */
export function FilterForm({
  face,
  onChange,
  filter,
}: FieldsProps & { readonly face: FormPopoverProps['face'] }) {
  return (
    <FormPopover face={face} widthPx={460}>
      {(close) => (
        <Fields
          filter={filter}
          onChange={(next) => {
            close()
            onChange(next)
          }}
        />
      )}
    </FormPopover>
  )
}

function Fields({ filter, onChange }: FieldsProps) {
  const { shown } = use(ZonesContext)
  const [draft, setDraft] = useState((): Draft => draftOf(filter, shown))
  const [problems, setProblems] = useState<Problems>({})
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const zone = shown === 'utc' ? 'UTC' : filterText.localZone
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const found = problemsOf(draft, shown)
    setProblems(found)
    if (Object.keys(found).length === 0) afterSubmit(() => onChange(filterOf(draft, shown)))
  }
  const moment = (name: 'from' | 'to') => ({
    name,
    label: filterText[name](zone),
    value: draft[name],
    error: problems[name],
    onChange: (value: string) => change({ [name]: value }),
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <div className={classes.fields}>
          <UserField
            label={filterText.user}
            value={draft.user}
            error={problems.user}
            onChange={(user) => change({ user })}
            onChoose={(user) => change({ user, chosen: user })}
          />
          <ActorField value={draft.actor} filter={filter} onChange={(actor) => change({ actor })} />
          <KeyField value={draft.key} onChange={(key) => change({ key })} />
          <Labelled label={filterText.kind}>
            <Choice
              label={filterText.kind}
              value={draft.kind}
              options={[
                anything,
                ...auditKinds.map((kind) => ({ value: kind, label: auditText.kinds[kind] ?? kind })),
              ]}
              onChange={(kind) => change({ kind })}
            />
          </Labelled>
          <MomentInput {...moment('from')} />
          <MomentInput {...moment('to')} />
        </div>
        <SpanPresets
          label={filterText.presets}
          presets={[
            [filterText.lastDay, upToNow(dayMs)],
            [filterText.lastWeek, upToNow(7 * dayMs)],
            [filterText.last30Days, upToNow(30 * dayMs)],
            [filterText.lastMonth, lastMonth],
          ]}
          onChoose={(preset) => {
            const { from, to } = preset(shown)
            change({
              from: typedMoment(from.toISOString(), shown),
              to: typedMoment(to?.toISOString(), shown),
            })
          }}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => onChange(everything)}>
            {filterText.reset}
          </Button>
          <Button type="submit">{filterText.apply}</Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Form values as typed. Text typed to find a user is kept in this state only. */
interface Draft {
  readonly user: string
  /** Id of the user who was found and chosen. */
  readonly chosen: string
  readonly actor: string
  readonly key: string
  readonly kind: string
  readonly from: string
  readonly to: string
}
type Problems = Partial<Record<'user' | 'from' | 'to', string>>

function draftOf(
  { user = '', actor = '', key = '', kind, from, to }: AuditFilter,
  shown: Zones['shown'],
): Draft {
  return {
    user,
    chosen: user,
    actor,
    key,
    kind: kind ?? '',
    from: typedMoment(from, shown),
    to: typedMoment(to, shown),
  }
}

function filterOf({ user, actor, key, kind, from, to }: Draft, shown: Zones['shown']): AuditFilter {
  return {
    user: user.trim() || undefined,
    actor: actor.trim() || undefined,
    key: key.trim() || undefined,
    kind: auditKinds.find((each) => each === kind),
    from: momentOf(from, shown),
    to: momentOf(to, shown),
  }
}

function problemsOf(draft: Draft, shown: Zones['shown']): Problems {
  const problems: Problems = {}
  const user = draft.user.trim()
  if (user !== '' && user !== draft.chosen && !isUserId(user)) problems.user = filterText.nobody
  const { from, to } = filterOf(draft, shown)
  if (from === undefined && draft.from.trim() !== '') problems.from = filterText.badTime
  if (to === undefined && draft.to.trim() !== '') problems.to = filterText.badTime
  if (from !== undefined && to !== undefined && from >= to) problems.to ??= filterText.badSpan
  return problems
}
