import { Text } from '@mantine/core'

import type { Changeset } from '#contract/index.ts'
import { reasonText } from '../../messages/index.ts'

type WhyProps = Pick<Changeset, 'reason' | 'reasonMasked'>

export function Why({ reason, reasonMasked = false }: WhyProps) {
  if (reason === undefined && !reasonMasked) return null
  return (
    <Text
      size="sm"
      c="dimmed"
      ps={8}
      dir="auto"
      style={{ borderInlineStart: '2px solid var(--ds-border)', overflowWrap: 'anywhere' }}
    >
      {reason === undefined ? reasonText.masked : reasonText.quoted({ reason })}
    </Text>
  )
}
