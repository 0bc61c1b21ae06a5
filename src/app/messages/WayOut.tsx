import { Button } from '@mantine/core'
import { Link, useLocation } from 'react-router'

import { connected } from '../../api/connection.ts'
import { firstArea } from '../../auth/areas.ts'
import { usePerson, useSession } from '../../auth/use-session.ts'
import { links } from '../../domain/links.ts'
import { shellText } from '../../messages/index.ts'

/**
 * From what cannot be shown to what can: the first area that the person may see.
 * @param isDenied The service has refused this page. Where that was the first area, or nobody knows what the role allows, only
 * another person would see more.
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
