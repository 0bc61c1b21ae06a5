import { useNavigate, useParams, useRouteError } from 'react-router'

import { kindOf } from '../../../domain/failures/describe-failure.ts'
import { links } from '../../../domain/links.ts'
import { RestoreButton } from '../../../domain/restoring/RestoreButton.tsx'
import { entityText } from '../../../messages/index.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'

/** Error state in place of one entity; the entities below it stay. */
export function EntityFailure() {
  const error = useRouteError()
  const { userId = '', entityId = '' } = useParams()
  const navigate = useNavigate()
  if (kindOf(error) !== 'missing') throw error
  return (
    <EmptyState
      title={entityText.gone.title}
      action={
        <RestoreButton
          deleted={{ userId, entityId }}
          // Reload this URL, because the entity exists again.
          onRestored={() => navigate(links.entity(userId, entityId), { replace: true })}
        />
      }
    >
      {entityText.gone.body}
    </EmptyState>
  )
}
