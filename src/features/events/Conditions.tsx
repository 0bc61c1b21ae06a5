import { Button, Group } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { use } from 'react'

import { usePeople } from '../../domain/people/use-people.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import { eventLogText, eventText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { shortId } from '../../ui/ShortId.tsx'
import { exactTime, preciseMoment, type Zones } from '../../ui/time.ts'
import { ZonesContext } from '../../ui/Timestamp.tsx'
import classes from './EventsPage.module.css'
import { type EventFilter, everything } from './log/filter.ts'

const filterText = eventLogText.filter
const none: readonly string[] = []

export interface ConditionsProps {
  readonly filter: EventFilter
  /** The moment that the list was opened at. */
  readonly at: string | undefined
  readonly onChange: (filter: EventFilter, at: string | undefined) => void
}

/** Active filters as chips, each with a button that removes it. */
export function Conditions({ filter, at, onChange }: ConditionsProps) {
  const { shown } = use(ZonesContext)
  const [person] = usePeople(filter.user === undefined ? none : [filter.user])
  const conditions = conditionsOf(filter, at, shown, person && nameOf(person))
  if (conditions.length === 0) return null
  return (
    <Group gap="xs" pb="sm">
      <ul aria-label={filterText.list} className={classes.conditions}>
        {conditions.map(({ label, exact, without, at: moment }) => (
          <li key={label} className={classes.condition}>
            <span {...hint(exact)}>{label}</span>
            <IconButton
              size="small"
              aria-label={filterText.remove(label)}
              onClick={() => onChange(without, moment)}
            >
              <IconX size={12} />
            </IconButton>
          </li>
        ))}
      </ul>
      {conditions.length > 1 && (
        <Button variant="subtle" size="compact-xs" onClick={() => onChange(everything, undefined)}>
          {filterText.reset}
        </Button>
      )}
    </Group>
  )
}

interface Condition {
  readonly label: string
  /** Hint for a condition on time: the moment with seconds and zone. */
  readonly exact?: string | undefined
  /** The list without it. */
  readonly without: EventFilter
  readonly at: string | undefined
}

function conditionsOf(
  filter: EventFilter,
  at: string | undefined,
  shown: Zones['shown'],
  name: string | undefined,
): Condition[] {
  const { types, delivered, delivery, user, entity, from, to } = filter
  const conditions: Condition[] = types.map((type) => ({
    at,
    label: filterText.isType(eventText.type(type) ?? type),
    without: { ...filter, types: types.filter((other) => other !== type) },
  }))
  const add = (label: string, change: Partial<EventFilter>, exact?: string) =>
    conditions.push({ label, exact, without: { ...filter, ...change }, at })
  const exactly = (moment: string) => exactTime(Date.parse(moment), shown)
  const shortly = (moment: string) => preciseMoment(Date.parse(moment), shown)
  if (delivered !== undefined)
    add(delivered ? filterText.delivered : filterText.notDelivered, { delivered: undefined })
  if (delivery !== undefined)
    add(delivery === 'none' ? filterText.noWebhook : filterText.states[delivery], { delivery: undefined })
  if (user !== undefined)
    add(name === undefined ? filterText.isUser(shortId(user)) : filterText.isPerson(name), {
      user: undefined,
    })
  if (entity !== undefined) add(filterText.isEntity(shortId(entity)), { entity: undefined })
  if (from !== undefined) add(filterText.isFrom(shortly(from)), { from: undefined }, exactly(from))
  if (to !== undefined) add(filterText.isTo(shortly(to)), { to: undefined }, exactly(to))
  if (at !== undefined) {
    const label = eventLogText.jump.around(shortly(at))
    conditions.push({ label, exact: exactly(at), without: filter, at: undefined })
  }
  return conditions
}
