import { Button } from '@mantine/core'
import type { ReactNode } from 'react'

interface SmallProps {
  readonly label: string
  readonly onClick?: () => void
  readonly children: ReactNode
  /** Marks a button that is replaced by an input when pressed; the input takes the focus. */
  readonly 'data-gives-input'?: boolean
}

/** Small button beside a value. */
export function Small({ label, children, ...rest }: SmallProps) {
  return (
    <Button size="compact-xs" variant="subtle" color="gray" aria-label={label} {...rest}>
      {children}
    </Button>
  )
}
