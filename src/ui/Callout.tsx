import { Alert, Group } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { Children, type ReactNode } from 'react'

export interface CalloutProps {
  readonly title: string
  readonly children?: ReactNode
  /** Links or buttons below the text. */
  readonly actions?: ReactNode
}

/** Notice that is not a failure. Announced to screen readers when it appears. */
export function Callout({ title, children, actions }: CalloutProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <output> may hold no paragraphs
    <Alert role="status" title={title} icon={<IconInfoCircle aria-hidden />}>
      {Children.toArray(children).length > 0 && <p>{children}</p>}
      {actions !== undefined && (
        <Group component="p" gap="4px 16px" mt={4} fw={500}>
          {actions}
        </Group>
      )}
    </Alert>
  )
}
