import { Button } from '@mantine/core'

import type { NoRole as Reason } from '../../api/connection.ts'
import { useSession } from '../../auth/use-session.ts'
import { shellText } from '../../messages/index.ts'
import { MessagePage } from './MessagePage.tsx'

/** Stands in for every page if the person has no role; includes the details that an administrator needs. */
export function NoRole({ claim, holds }: Reason) {
  const session = useSession()
  const { title, body, ...reasons } = shellText.noRole
  return (
    <MessagePage
      title={title}
      body={body}
      action={<Button onClick={() => void session.signOut()}>{shellText.signOut}</Button>}
    >
      {holds === undefined ? reasons.missing({ claim }) : reasons.holds({ claim, values: holds })}
    </MessagePage>
  )
}
