import { Box } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { Link } from 'react-router'

import { links } from '../../domain/links.ts'
import { segmentText } from '../../messages/index.ts'

export function BackToSegments() {
  return (
    <Box
      component={Link}
      to={links.segments()}
      display="inline-flex"
      mih={24}
      style={{ alignItems: 'center', gap: 2 }}
    >
      <IconChevronLeft size={14} aria-hidden />
      {segmentText.title}
    </Box>
  )
}
