import { Button } from '@mantine/core'
import type { ReactNode } from 'react'

interface SmallProps {
  readonly label: string
  readonly onClick?: () => void
  readonly children: ReactNode
  /** Pressing the button replaces it with an input, which takes the focus. */
  readonly 'data-gives-input'?: boolean
}

/** An action beside a value. */
export function Small({ label, children, ...rest }: SmallProps) {
  return (
    <Button size="compact-xs" variant="subtle" color="gray" aria-label={label} {...rest}>
      {children}
    </Button>
  )
}
