import { Button, Checkbox, Group, Radio, Stack, TextInput } from '@mantine/core'
import { type FormEvent, use, useState } from 'react'

import { type DeliveryState, deliveryStates, type Event, eventTypes } from '#contract/index.ts'
import { isFull } from '../../../api/index.ts'
import { UserField } from '../../../domain/people/UserField.tsx'
import { isUserId, useFindsUsers } from '../../../domain/people/UserSuggest.tsx'
import { MomentInput } from '../../../domain/values/MomentInput.tsx'
import { eventLogText, eventText } from '../../../messages/index.ts'
import type { Zones } from '../../../ui/time.ts'
import { ZonesContext } from '../../../ui/Timestamp.tsx'
import { zoneName } from '../list/LogRow.tsx'
import { type EventFilter, everything } from '../log/filter.ts'
import classes from './FilterForm.module.css'
import { afterSubmit, dayMs, hourMs, momentOf, SpanPresets, typedMoment } from '../../../ui/moments.tsx'

const filterText = eventLogText.filter

export interface FilterFormProps {
  readonly filter: EventFilter
  /** Their types are offered beside the known ones. */
  readonly events: readonly Event[]
  readonly onChange: (filter: EventFilter) => void
}

/** A filter as it is typed. */
interface Draft {
  readonly types: string[]
  /** Value of the radio button: a delivery state, or whether the event is delivered. */
  readonly delivery: string
  readonly user: string
  /** Id of the user who was found and chosen. */
  readonly chosen: string
  readonly entity: string
  readonly from: string
  readonly to: string
}
type Problems = Partial<Record<keyof Draft, string>>

/** Form with all filters of the log. An invalid value stays as typed and shows its problem. */
export function FilterForm({ filter, events, onChange }: FilterFormProps) {
  const { shown } = use(ZonesContext)
  const findsUsers = useFindsUsers()
  const [offered] = useState(() => [
    ...new Set([...eventTypes, ...filter.types, ...events.map(({ type }) => type)]),
  ])
  const [draft, setDraft] = useState(() => draftOf(filter, shown))
  const [problems, setProblems] = useState<Problems>({})
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const found = problemsOf(draft, shown)
    // A name was typed, but no user was chosen.
    const user = draft.user.trim()
    if (findsUsers && user !== '' && user !== draft.chosen && !isUserId(user))
      found.user = filterText.nobodyChosen
    setProblems(found)
    if (Object.keys(found).length === 0) afterSubmit(() => onChange(filterOf(draft, shown)))
  }
  const moment = (name: 'from' | 'to') => ({
    label: filterText[name](zoneName(shown)),
    value: draft[name],
    error: problems[name],
    onChange: (value: string) => change({ [name]: value }),
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <TypeChoice offered={offered} value={draft.types} onChange={(types) => change({ types })} />
        <DeliveryChoice
          filter={filter}
          value={draft.delivery}
          onChange={(delivery) => change({ delivery })}
        />
        <div className={classes.pairs}>
          <UserField
            label={findsUsers ? filterText.anyUser : filterText.user}
            value={draft.user}
            error={problems.user}
            onChange={(user) => change({ user })}
            onChoose={(user) => change({ user, chosen: user })}
          />
          <TextInput
            label={filterText.entity}
            value={draft.entity}
            error={problems.entity}
            onChange={({ currentTarget }) => change({ entity: currentTarget.value })}
            autoComplete="off"
            spellCheck={false}
          />
          <MomentInput {...moment('from')} />
          <MomentInput {...moment('to')} />
        </div>
        <SpanPresets
          label={filterText.presets}
          presets={[
            [filterText.lastHour, hourMs],
            [filterText.lastDay, dayMs],
            [filterText.lastWeek, 7 * dayMs],
          ]}
          onChoose={(ms) =>
            change({ from: typedMoment(new Date(Date.now() - ms).toISOString(), shown), to: '' })
          }
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

interface DeliveryChoiceProps {
  /** Filter that was active when the form was opened. */
  readonly filter: EventFilter
  readonly value: string
  readonly onChange: (value: string) => void
}

function DeliveryChoice({ filter, value, onChange }: DeliveryChoiceProps) {
  return (
    <Radio.Group label={filterText.delivery} value={value} onChange={onChange}>
      <Group gap="10px 16px">
        <Radio size="xs" value="" label={filterText.any} />
        {deliveries(filter).map(([value, label]) => (
          <Radio key={value} size="xs" value={value} label={label} />
        ))}
      </Group>
    </Radio.Group>
  )
}

interface TypeChoiceProps {
  readonly offered: readonly string[]
  readonly value: string[]
  readonly onChange: (types: string[]) => void
}

function TypeChoice({ offered, value, onChange }: TypeChoiceProps) {
  return (
    <Checkbox.Group label={filterText.types} value={value} onChange={onChange}>
      <div className={classes.types}>
        {offered.map((type) => (
          <Checkbox
            key={type}
            size="xs"
            value={type}
            label={eventText.type(type) ?? <span className="ds-mono">{type}</span>}
          />
        ))}
      </div>
    </Checkbox.Group>
  )
}

/** An address that says only "not delivered" keeps that choice: any undelivered state. */
function deliveries({ delivered }: EventFilter): readonly (readonly [value: string, label: string])[] {
  const either = [
    ['true', filterText.delivered],
    ['false', filterText.notDelivered],
  ] as const
  if (!isFull()) return either
  const states = deliveryStates.map((state) => [state, filterText.states[state]] as const)
  return delivered === false ? [...states, either[1]] : states
}

function draftOf(filter: EventFilter, shown: Zones['shown']): Draft {
  const { types, delivered, delivery, user, entity, from, to } = filter
  const isDelivered = delivered === true && isFull() ? 'delivered' : delivered
  return {
    types: [...types],
    delivery: delivery ?? String(isDelivered ?? ''),
    user: user ?? '',
    chosen: user ?? '',
    entity: entity ?? '',
    from: typedMoment(from, shown),
    to: typedMoment(to, shown),
  }
}

function filterOf({ types, delivery, user, entity, from, to }: Draft, shown: Zones['shown']): EventFilter {
  return {
    types: types.toSorted(),
    delivered: delivery === 'true' || (delivery === 'false' ? false : undefined),
    delivery: deliveryStates.find((state): state is DeliveryState => state === delivery),
    user: user.trim() || undefined,
    entity: entity.trim() || undefined,
    from: momentOf(from, shown),
    to: momentOf(to, shown),
  }
}

function problemsOf(draft: Draft, shown: Zones['shown']): Problems {
  const found: Problems = {}
  for (const name of ['user', 'entity'] as const)
    if (/[\s,]/.test(draft[name].trim())) found[name] = filterText.badId
  const { from, to } = filterOf(draft, shown)
  if (from === undefined && draft.from.trim() !== '') found.from = filterText.badTime
  if (to === undefined && draft.to.trim() !== '') found.to = filterText.badTime
  if (from !== undefined && to !== undefined && from >= to) found.to ??= filterText.badSpan
  return found
}
