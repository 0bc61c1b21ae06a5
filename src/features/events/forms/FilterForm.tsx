import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Radio.layer.css'

import { Button, Checkbox, Popover, Radio, TextInput } from '@mantine/core'
import { type FormEvent, type ReactElement, type ReactNode, use, useState } from 'react'

import { type Event, eventTypes } from '#contract/index.ts'
import { eventLogText, eventText } from '../../../messages/index.ts'
import type { Zones } from '../../../ui/time.ts'
import { ZonesContext } from '../../../ui/Timestamp.tsx'
import { type EventFilter, everything } from '../log/filter.ts'
import classes from './FilterForm.module.css'
import { zoneName } from '../list/LogRow.tsx'

interface FormProps {
  /** The button that opens it. */
  readonly face: ReactElement
  readonly isOpen: boolean
  readonly onClose: () => void
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Everything that the list can be limited to. What is wrong stays as it was typed, and says so. */
export function FilterForm({
  face,
  isOpen,
  onClose,
  filter,
  events,
  onChange,
}: FormProps & {
  readonly filter: EventFilter
  readonly events: readonly Event[]
  readonly onChange: (filter: EventFilter) => void
}) {
  const text = eventLogText.filter
  return (
    <Frame face={face} isOpen={isOpen} onClose={onClose} label={text.title} widthPx={460}>
      {isOpen && (
        <FilterFields
          filter={filter}
          events={events}
          onChange={(next) => {
            onClose()
            onChange(next)
          }}
        />
      )}
    </Frame>
  )
}

interface FieldsProps {
  readonly filter: EventFilter
  readonly events: readonly Event[]
  readonly onChange: (filter: EventFilter) => void
}

function FilterFields({ filter, events, onChange }: FieldsProps) {
  const text = eventLogText.filter
  const { shown } = use(ZonesContext)
  const [offered] = useState(() => [
    ...new Set([...eventTypes, ...filter.types, ...events.map(({ type }) => type)]),
  ])
  const [types, setTypes] = useState([...filter.types])
  const [delivered, setDelivered] = useState(filter.delivered === undefined ? '' : String(filter.delivered))
  const [values, setValues] = useState({
    user: filter.user ?? '',
    entity: filter.entity ?? '',
    from: typed(filter.from, shown),
    to: typed(filter.to, shown),
  })
  const [wrong, setWrong] = useState<Partial<Record<keyof typeof values, string>>>({})
  const change = (part: Partial<typeof values>) => setValues((before) => ({ ...before, ...part }))

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const from = meant(values.from, shown)
    const to = meant(values.to, shown)
    const halfTyped = (name: string) =>
      event.currentTarget.querySelector<HTMLInputElement>(`[name="${name}"]`)?.validity.badInput === true
    const found: typeof wrong = {}
    for (const name of ['user', 'entity'] as const)
      if (/[\s,]/.test(values[name].trim())) found[name] = text.badId
    for (const name of ['from', 'to'] as const) if (halfTyped(name)) found[name] = text.badTime
    if (from !== undefined && to !== undefined && from >= to) found.to ??= text.badSpan
    setWrong(found)
    if (Object.keys(found).length > 0) return
    const next: EventFilter = {
      types: types.toSorted(),
      delivered: delivered === '' ? undefined : delivered === 'true',
      user: values.user.trim() || undefined,
      entity: values.entity.trim() || undefined,
      from,
      to,
    }
    afterSubmit(() => onChange(next))
  }
  const last = (ms: number) => change({ from: typed(new Date(Date.now() - ms).toISOString(), shown), to: '' })
  const field = (name: keyof typeof values, label: string, props?: Readonly<Record<string, unknown>>) => (
    <TextInput
      name={name}
      label={label}
      value={values[name]}
      error={wrong[name]}
      autoComplete="off"
      spellCheck={false}
      onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
      {...props}
    />
  )
  const moment = { type: 'datetime-local', step: 1, min: '0001-01-01T00:00', max: '9999-12-31T23:59' }
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <fieldset className={classes.group}>
        <legend className={classes.legend}>{text.types}</legend>
        <div className={classes.types}>
          {offered.map((type) => (
            <Checkbox
              key={type}
              size="xs"
              label={eventText.type(type) ?? <span className="ds-mono">{type}</span>}
              checked={types.includes(type)}
              onChange={({ currentTarget }) =>
                setTypes((before) =>
                  currentTarget.checked ? [...before, type] : before.filter((other) => other !== type),
                )
              }
            />
          ))}
        </div>
      </fieldset>
      <Radio.Group label={text.delivery} value={delivered} onChange={setDelivered} size="sm">
        <div className={classes.line}>
          <Radio size="xs" value="" label={text.any} />
          <Radio size="xs" value="true" label={text.delivered} />
          <Radio size="xs" value="false" label={text.notDelivered} />
        </div>
      </Radio.Group>
      <div className={classes.pair}>
        {field('user', text.user)}
        {field('entity', text.entity)}
        {field('from', text.from(zoneName(shown)), moment)}
        {field('to', text.to(zoneName(shown)), moment)}
      </div>
      <Presets label={text.presets}>
        <Preset label={text.lastHour} onClick={() => last(hourMs)} />
        <Preset label={text.lastDay} onClick={() => last(dayMs)} />
        <Preset label={text.lastWeek} onClick={() => last(7 * dayMs)} />
      </Presets>
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => onChange(everything)}>
          {text.reset}
        </Button>
        <Button type="submit">{text.apply}</Button>
      </div>
    </form>
  )
}

/** To the events around a moment. */
export function JumpForm({
  face,
  isOpen,
  onClose,
  onJump,
}: FormProps & { readonly onJump: (moment: string) => void }) {
  const text = eventLogText.jump
  const { shown } = use(ZonesContext)
  const [value, setValue] = useState('')
  const [isWrong, setWrong] = useState(false)
  const jump = (moment: string) => {
    onClose()
    onJump(moment)
  }
  const ago = (ms: number) => jump(new Date(Date.now() - ms).toISOString())
  return (
    <Frame face={face} isOpen={isOpen} onClose={onClose} label={text.button} widthPx={340}>
      <form
        noValidate
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          const moment = meant(value, shown)
          setWrong(moment === undefined)
          if (moment !== undefined) afterSubmit(() => jump(moment))
        }}
      >
        <TextInput
          type="datetime-local"
          step={1}
          min="0001-01-01T00:00"
          max="9999-12-31T23:59"
          label={text.label(zoneName(shown))}
          value={value}
          error={isWrong && text.missing}
          onChange={({ currentTarget }) => setValue(currentTarget.value)}
        />
        <Presets label={text.presets}>
          <Preset label={text.hourAgo} onClick={() => ago(hourMs)} />
          <Preset label={text.dayAgo} onClick={() => ago(dayMs)} />
          <Preset label={text.weekAgo} onClick={() => ago(7 * dayMs)} />
          <Preset label={text.monthAgo} onClick={() => ago(30 * dayMs)} />
        </Presets>
        <div className={classes.buttons}>
          <Button type="submit">{text.go}</Button>
        </div>
      </form>
    </Frame>
  )
}

function Frame({
  face,
  isOpen,
  onClose,
  label,
  widthPx,
  children,
}: FormProps & { readonly label: string; readonly widthPx: number; readonly children: ReactNode }) {
  return (
    <Popover
      opened={isOpen}
      onChange={(opened) => {
        if (!opened) onClose()
      }}
      position="bottom-start"
      width={`min(${widthPx}px, calc(100vw - 32px))`}
      withinPortal={false}
      trapFocus
      returnFocus
    >
      <Popover.Target>{face}</Popover.Target>
      <Popover.Dropdown aria-label={label}>{children}</Popover.Dropdown>
    </Popover>
  )
}

function Presets({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <fieldset aria-label={label} className={`${classes.group} ${classes.line}`}>
      {children}
    </fieldset>
  )
}

function Preset({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <Button variant="default" size="compact-xs" onClick={onClick}>
      {label}
    </Button>
  )
}

/** A navigation that begins within the event of a form is to React an action of that form, which it would wait for. */
const afterSubmit = queueMicrotask

/** A moment as the browser's own input has it, in the zone that the label names. */
function typed(moment: string | undefined, shown: Zones['shown']): string {
  if (moment === undefined) return ''
  const at = new Date(moment)
  const shiftMs = shown === 'utc' ? 0 : at.getTimezoneOffset() * 60_000
  return new Date(at.getTime() - shiftMs).toISOString().slice(0, 19)
}

/** What was typed, as the API has it; `undefined`: nothing, or half of it. */
function meant(value: string, shown: Zones['shown']): string | undefined {
  const ms = value === '' ? Number.NaN : Date.parse(shown === 'utc' ? `${value}Z` : value)
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}
