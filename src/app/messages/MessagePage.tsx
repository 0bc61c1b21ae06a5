import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'

import { shellText } from '../../messages/index.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'

export interface MessagePageProps {
  readonly title: string
  readonly body: string
  readonly action: ReactNode
  readonly children?: ReactNode
}

export function MessagePage({ title, body, action, children }: MessagePageProps) {
  useDocumentTitle(`${title} · ${shellText.product}`)
  return (
    <div role="alert">
      <PageHeader title={title} />
      <EmptyState title={body} action={action} underHeading>
        {children}
      </EmptyState>
    </div>
  )
}
