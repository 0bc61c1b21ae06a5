import { Box, Checkbox, Group, Radio, TextInput } from '@mantine/core'
import { useState } from 'react'

import { deliveryStates, eventTypes } from '#contract/index.ts'
import { eventTypeName } from '../../../domain/event-type-name.ts'
import { LogFilterForm, spanToNow } from '../../../domain/log-page/LogFilterForm.tsx'
import { isUserId, useFindsUsers } from '../../../domain/people/UserSuggest.tsx'
import { eventFilterText, logPageText } from '../../../messages/index.ts'
import { dayMs, hourMs } from '../../../ui/moments.tsx'
import { type EventFilter, typeParameter, typesOf } from '../log/filter.ts'
import type { LogView } from '../log/log.ts'

export interface EventFilterFormProps extends Pick<LogView, 'state' | 'filter' | 'isFull'> {
  readonly onChange: (filter: EventFilter) => void
}

export function EventFilterForm({ state, filter, isFull, onChange }: EventFilterFormProps) {
  const findsUsers = useFindsUsers()
  // Types of the loaded events are offered in addition to the known ones.
  const [offered] = useState(() => [
    ...new Set([...eventTypes, ...typesOf(filter), ...state.events.map(({ type }) => type)]),
  ])
  const [types, setTypes] = useState(typesOf(filter))
  const [delivery, setDelivery] = useState(() => deliveryOf(filter, isFull))
  const [entity, setEntity] = useState(filter.entity ?? '')
  const [isEntityWrong, setEntityWrong] = useState(false)
  const userProblem = (user: string, isChosen: boolean) => {
    if (findsUsers) return isChosen || isUserId(user) ? undefined : logPageText.filter.badUser
    return isOneId(user) ? undefined : eventFilterText.badId
  }
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
              {deliveryChoices(filter, isFull).map(([value, label]) => (
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
        })
      }
      onReset={() => onChange({})}
    >
      <TextInput
        label={eventFilterText.entity}
        value={entity}
        error={isEntityWrong && eventFilterText.badId}
        onChange={({ currentTarget }) => setEntity(currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
    </LogFilterForm>
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
        mah={180}
        p={2}
        style={{
          display: 'grid',
          gridTemplateColumns: 'repeat(auto-fill, minmax(min(180px, 100%), 1fr))',
          gap: '9px 12px',
          overflow: 'hidden auto',
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
function deliveryOf({ delivered, delivery }: EventFilter, isFull: boolean): string {
  return delivery ?? (delivered === 'true' && isFull ? 'delivered' : (delivered ?? ''))
}

/** Returns the delivery choices. "Not delivered", which covers several states, is one if the URL says so. */
function deliveryChoices({ delivered }: EventFilter, isFull: boolean) {
  const undelivered = ['false', eventFilterText.notDelivered] as const
  if (!isFull) return [['true', eventFilterText.delivered] as const, undelivered]
  const states = deliveryStates.map((state) => [state, eventFilterText.states[state]] as const)
  return delivered === 'false' ? [...states, undelivered] : states
}
