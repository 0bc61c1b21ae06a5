import { Button, Stack } from '@mantine/core'
import { IconCalendarTime } from '@tabler/icons-react'
import { use, useState } from 'react'

import { zoneName } from '../../../domain/log-page/moments.ts'
import { MomentInput } from '../../../domain/values/MomentInput.tsx'
import { jumpText } from '../../../messages/index.ts'
import { FormPopover } from '../../../ui/FormPopover.tsx'
import { ZonesContext } from '../../../ui/Timestamp.tsx'
import { afterSubmit, dayMs, hourMs, momentOf, SpanPresets } from '../../../ui/moments.tsx'

export interface JumpFormProps {
  readonly onJump: (moment: string) => void
}

export function JumpForm({ onJump }: JumpFormProps) {
  return (
    <FormPopover
      face={
        <Button variant="default" leftSection={<IconCalendarTime size={15} stroke={1.75} aria-hidden />}>
          {jumpText.button}
        </Button>
      }
      widthPx={340}
    >
      {(close) => (
        <JumpFields
          onJump={(moment) => {
            close()
            onJump(moment)
          }}
        />
      )}
    </FormPopover>
  )
}

function JumpFields({ onJump }: JumpFormProps) {
  const { shown } = use(ZonesContext)
  const [value, setValue] = useState('')
  const [isWrong, setWrong] = useState(false)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const moment = momentOf(value, shown)
        setWrong(moment === undefined)
        if (moment !== undefined) afterSubmit(() => onJump(moment))
      }}
    >
      <Stack gap="sm">
        <MomentInput
          label={jumpText.label({ zone: zoneName(shown) })}
          value={value}
          error={isWrong && jumpText.missing}
          onChange={setValue}
        />
        <SpanPresets
          label={jumpText.presets}
          presets={[
            [jumpText.hourAgo, hourMs],
            [jumpText.dayAgo, dayMs],
            [jumpText.weekAgo, 7 * dayMs],
            [jumpText.monthAgo, 30 * dayMs],
          ]}
          onChoose={(ms) => onJump(new Date(Date.now() - ms).toISOString())}
        />
        <Button type="submit" ms="auto">
          {jumpText.go}
        </Button>
      </Stack>
    </form>
  )
}
