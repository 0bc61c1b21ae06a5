import { Button, Group, TextInput, type TextInputProps } from '@mantine/core'

import type { Zones } from './time.ts'

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

export interface SpanPresetsProps {
  readonly label: string
  readonly presets: readonly (readonly [name: string, ms: number])[]
  readonly onChoose: (ms: number) => void
}

/** Spans of time up to now, one press each. */
export function SpanPresets({ label, presets, onChoose }: SpanPresetsProps) {
  return (
    <Group component="fieldset" aria-label={label} gap="6px 16px" m={0} p={0} bd={0} miw={0}>
      {presets.map(([name, ms]) => (
        <Button key={name} variant="default" size="compact-xs" onClick={() => onChoose(ms)}>
          {name}
        </Button>
      ))}
    </Group>
  )
}

/** A moment to the second, in the zone that its label names. */
export function MomentInput(props: TextInputProps) {
  return (
    <TextInput
      type="datetime-local"
      step={1}
      min="0001-01-01T00:00"
      max="9999-12-31T23:59"
      autoComplete="off"
      {...props}
    />
  )
}

/** A moment as the browser's own input has it. */
export function typedMoment(moment: string | undefined, shown: Zones['shown']): string {
  if (moment === undefined) return ''
  const at = new Date(moment)
  const shiftMs = shown === 'utc' ? 0 : at.getTimezoneOffset() * 60_000
  return new Date(at.getTime() - shiftMs).toISOString().slice(0, 19)
}

/** What was typed, as the API has it; `undefined`: nothing, or half of it. */
export function momentOf(typed: string, shown: Zones['shown']): string | undefined {
  const ms = typed === '' ? Number.NaN : Date.parse(shown === 'utc' ? `${typed}Z` : typed)
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}

/** A navigation that begins within the event of a form is to React an action of that form, which it would wait for. */
export const afterSubmit = queueMicrotask
