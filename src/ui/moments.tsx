import { Button, Group } from '@mantine/core'

import { isMoment } from '#contract/reading/moments.ts'
import { preciseMoment, type Zones } from './time.ts'

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

export interface SpanPresetsProps<Preset> {
  readonly label: string
  readonly presets: readonly (readonly [name: string, preset: Preset])[]
  readonly onChoose: (preset: Preset) => void
}

export function SpanPresets<Preset>({ label, presets, onChoose }: SpanPresetsProps<Preset>) {
  return (
    <Group component="fieldset" aria-label={label} gap="6px 16px" m={0} p={0} bd={0} miw={0}>
      {presets.map(([name, preset]) => (
        <Button key={name} variant="default" size="compact-xs" onClick={() => onChoose(preset)}>
          {name}
        </Button>
      ))}
    </Group>
  )
}

/** Formats `2024-03-01T09:30:00` as "1 Mar 2024, 09:30", with seconds and fractions if there are any. */
export function momentInFull(moment: string): string {
  if (!isMoment(moment)) return moment
  const ms = Date.parse(`${moment}Z`)
  return Number.isNaN(ms) ? moment : preciseMoment(ms, 'utc')
}

/** Formats a time for an input, in the zone in which times are shown and without naming it. */
export function typedMoment(moment: string | undefined, shown: Zones['shown']): string {
  if (moment === undefined) return ''
  const at = new Date(moment)
  const shiftMs = shown === 'utc' ? 0 : at.getTimezoneOffset() * 60_000
  return new Date(at.getTime() - shiftMs).toISOString().slice(0, 19)
}

/** Parses a typed date and time without a zone into the API's format; undefined if the text is empty or invalid. */
export function momentOf(typed: string, shown: Zones['shown']): string | undefined {
  const ms = !isMoment(typed) ? Number.NaN : Date.parse(shown === 'utc' ? `${typed}Z` : typed)
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}

/** Defers a navigation until after the submit event. Within it, React would wait for its end as a form's action. */
export const afterSubmit = queueMicrotask
