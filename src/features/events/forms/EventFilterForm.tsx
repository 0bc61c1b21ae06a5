import { Box, Checkbox, Group, Radio, TextInput } from '@mantine/core'
import { useState } from 'react'

import { deliveryStates, eventTypes } from '#contract/index.ts'
import { usePerson } from '../../../auth/use-session.ts'
import { eventProperty } from '../../../domain/changes/what-happened.ts'
import { eventTypeName } from '../../../domain/event-type-name.ts'
import { LogFilterForm, spanToNow } from '../../../domain/log-page/LogFilterForm.tsx'
import { SuggestField } from '../../../domain/log-page/SuggestField.tsx'
import { isUserId, useFindsUsers } from '../../../domain/people/UserSuggest.tsx'
import { eventFilterText, eventLogText, logPageText } from '../../../messages/index.ts'
import { dayMs, hourMs } from '../../../ui/moments.tsx'
import { type EventFilter, typeParameter, typesOf } from '../log/filter.ts'
import type { LogView } from '../log/use-event-log.ts'

export interface EventFilterFormProps extends Pick<LogView, 'rows' | 'filter'> {
  readonly onChange: (filter: EventFilter) => void
}

export function EventFilterForm({ rows, filter, onChange }: EventFilterFormProps) {
  // Types of the loaded events are offered in addition to the known ones.
  const [offered] = useState(() =>
    [...new Set([...eventTypes, ...typesOf(filter), ...rows.map(({ type }) => type)])].toSorted((a, b) =>
      (eventTypeName(a) ?? a).localeCompare(eventTypeName(b) ?? b),
    ),
  )
  const [types, setTypes] = useState(typesOf(filter))
  const [delivery, setDelivery] = useState(() => deliveryOf(filter))
  const [entity, setEntity] = useState(filter.entity ?? '')
  const [isEntityWrong, setEntityWrong] = useState(false)
  const findsUsers = useFindsUsers()
  const userProblem = (user: string, isChosen: boolean) => {
    if (findsUsers) return isChosen || isUserId(user) ? undefined : logPageText.filter.badUser
    return isOneId(user) ? undefined : eventFilterText.badId
  }
  const [actor, setActor] = useState(filter.actor ?? '')
  const [jobs, setJobs] = useState(filter.jobs)
  return (
    <LogFilterForm
      filter={filter}
      userLabel={findsUsers ? eventFilterText.anyUser : eventFilterText.user}
      userProblem={userProblem}
      above={
        <>
          <TypeChoice offered={offered} value={types} onChange={setTypes} />
          <Radio.Group label={eventFilterText.delivery} value={delivery} onChange={setDelivery}>
            <Group gap="10px 16px">
              <Radio size="xs" value="" label={eventFilterText.any} />
              {deliveryChoices(filter).map(([value, label]) => (
                <Radio key={value} size="xs" value={value} label={label} />
              ))}
            </Group>
          </Radio.Group>
        </>
      }
      presets={[
        [logPageText.filter.lastHour, spanToNow(hourMs)],
        [logPageText.filter.lastDay, spanToNow(dayMs)],
        [logPageText.filter.lastWeek, spanToNow(7 * dayMs)],
      ]}
      applyLabel={eventFilterText.apply}
      check={() => {
        setEntityWrong(!isOneId(entity.trim()))
        return isOneId(entity.trim())
      }}
      onApply={(common) =>
        onChange({
          ...filter,
          ...common,
          type: typeParameter(types),
          delivered: delivery === 'true' || delivery === 'false' ? delivery : undefined,
          delivery: deliveryStates.find((state) => state === delivery),
          entity: entity.trim() || undefined,
          actor: actor.trim() || undefined,
          jobs,
        })
      }
      onReset={() => onChange({})}
    >
      <ActorField rows={rows} value={actor} onChange={setActor} />
      <TextInput
        label={eventFilterText.entity}
        value={entity}
        error={isEntityWrong && eventFilterText.badId}
        onChange={({ currentTarget }) => setEntity(currentTarget.value)}
        spellCheck={false}
      />
      <Checkbox
        size="xs"
        // On the line of the field beside it, not of its label.
        style={{ alignSelf: 'end', minHeight: 'var(--ds-control-height)', alignContent: 'center' }}
        label={eventFilterText.eachOfJobs}
        checked={jobs === 'each'}
        onChange={({ currentTarget }) => setJobs(currentTarget.checked ? 'each' : undefined)}
      />
    </LogFilterForm>
  )
}

interface ActorFieldProps extends Pick<LogView, 'rows'> {
  readonly value: string
  readonly onChange: (actor: string) => void
}

/** Field that suggests the caller, and who caused the loaded events. */
function ActorField({ rows, value, onChange }: ActorFieldProps) {
  const you = usePerson().subject
  const [options] = useState(() => {
    const actors = rows.flatMap((event) => eventProperty(event, 'actor') ?? [])
    return [...new Set([you, ...actors])]
  })
  return (
    <SuggestField
      label={eventLogText.columns.by}
      value={value}
      onChange={onChange}
      listLabel={eventFilterText.actors}
      options={options}
      renderOption={(option) => (option === you ? eventFilterText.you({ actor: option }) : option)}
    />
  )
}

const isOneId = (typed: string) => !/[\s,]/.test(typed)

interface TypeChoiceProps {
  readonly offered: readonly string[]
  readonly value: string[]
  readonly onChange: (types: string[]) => void
}

function TypeChoice({ offered, value, onChange }: TypeChoiceProps) {
  return (
    <Checkbox.Group label={eventFilterText.types} value={value} onChange={onChange}>
      <Box
        p={2}
        style={{
          display: 'grid',
          gridTemplateColumns: 'repeat(auto-fill, minmax(min(180px, 100%), 1fr))',
          gap: '9px 12px',
        }}
      >
        {offered.map((type) => (
          <Checkbox
            key={type}
            size="xs"
            value={type}
            label={eventTypeName(type) ?? <span className="ds-mono">{type}</span>}
          />
        ))}
      </Box>
    </Checkbox.Group>
  )
}

/** Returns the value of the radio buttons: a delivery state, or whether the event is delivered. */
const deliveryOf = ({ delivered, delivery }: EventFilter) =>
  delivery ?? (delivered === 'true' ? 'delivered' : (delivered ?? ''))

/** Returns the delivery choices. "Not delivered", which covers several states, is one if the URL says so. */
function deliveryChoices({ delivered }: EventFilter) {
  const states = deliveryStates.map((state) => [state, eventFilterText.states[state]] as const)
  return delivered === 'false' ? [...states, ['false', eventFilterText.notDelivered] as const] : states
}
