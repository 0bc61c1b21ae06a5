import { Text } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { Link } from 'react-router'

/** The way back, above a title. */
export function BackLink({ to, children }: { readonly to: string; readonly children: string }) {
  return (
    <Text
      component={Link}
      to={to}
      inherit
      display="inline-flex"
      mih={24}
      style={{ alignItems: 'center', gap: 2 }}
    >
      <IconChevronLeft size={14} aria-hidden />
      {children}
    </Text>
  )
}
