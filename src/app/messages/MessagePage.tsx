import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { Button } from '@mantine/core'
import { Link, useLocation } from 'react-router'

import { shellText } from '../../messages/index.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { connected } from '../../api/connection.ts'
import { firstArea } from '../../auth/areas.ts'
import { usePerson, useSession } from '../../auth/use-session.ts'
import { links } from '../../domain/links.ts'

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

/**
 * For a page that cannot be shown: a link to the first area that the person may open, or else a button to sign out.
 * @param isDenied Whether the service has refused this page. If it is the first area, or the scopes of the role are
 * unknown, only signing in as another person helps.
 */
export function WayOut({ isDenied = false }: { readonly isDenied?: boolean }) {
  const { scopes } = usePerson()
  const session = useSession()
  const { pathname } = useLocation()
  const area = firstArea(scopes, connected().features)
  if (area === undefined || (isDenied && (scopes === undefined || pathname === links[area]())))
    return <Button onClick={() => void session.signOut()}>{shellText.signOut}</Button>
  return <Link to={links[area]()}>{shellText.failure.goTo({ area: shellText.pages[area] })}</Link>
}
