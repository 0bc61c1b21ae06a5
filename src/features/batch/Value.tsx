import { Checkbox, Input, Stack } from '@mantine/core'

import { KnownNote, useSensitivity } from '../../domain/known-properties/sensitivity.tsx'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import { ValueInput } from '../../domain/values/ValueInput.tsx'
import { batchText } from '../../messages/index.ts'
import { isSensitive, moved, type PartProps } from './form-state.ts'

const text = batchText.form

/** What the property is set to, and whether it is hidden. */
export function Value({ state, known, set, problems }: PartProps) {
  const { key, type, value, clears } = state
  const sensitive = isSensitive(state, known.of(key))
  const switching = useSensitivity({ key, sensitive }, known.of(key), (next) => set({ sensitive: next }))
  const mayNotMark = switching.denied
  const row = {
    key,
    type,
    sensitive,
    ...(state.sensitive !== undefined && { chosen: { sensitive: true as const } }),
  }
  return (
    <Stack gap="xs">
      {!clears && (
        <Input.Wrapper label={text.value} labelProps={{ 'aria-hidden': true }}>
          <ValueInput
            key={type}
            type={type}
            draft={value}
            label={text.value}
            onChange={(draft) => set({ value: draft })}
            issues={problems.value}
          />
        </Input.Wrapper>
      )}
      <Checkbox
        label={text.clear}
        description={text.clearHint}
        checked={clears}
        onChange={(event) => set({ clears: event.currentTarget.checked })}
      />
      <Checkbox
        label={
          <>
            {text.sensitive} <SensitiveMark />
          </>
        }
        description={mayNotMark ?? text.sensitiveHint}
        disabled={mayNotMark !== undefined}
        checked={sensitive}
        onChange={(event) => switching.set(event.currentTarget.checked)}
      />
      <KnownNote row={row} known={known} onTake={(taken) => set(moved(state, { key: taken }))} />
      {switching.question}
    </Stack>
  )
}
