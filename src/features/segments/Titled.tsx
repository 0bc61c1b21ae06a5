import { Box, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface TitledProps {
  readonly title: ReactNode
  readonly children: ReactNode
}

/** Section of a segment's page, with a title. */
export function SegmentSection({ title, children }: TitledProps) {
  return (
    <section>
      <Stack gap="xs">
        <Title order={2} fz="sm" fw={500} c="dimmed">
          {title}
        </Title>
        {children}
      </Stack>
    </section>
  )
}

/** Fact about a segment, with a title. */
export function SegmentFact({ title, children }: TitledProps) {
  return (
    <div>
      <Text component="dt" c="dimmed" inherit>
        {title}
      </Text>
      <Box component="dd" m={0}>
        {children}
      </Box>
    </div>
  )
}
