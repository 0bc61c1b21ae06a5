import { useParams, useRouteError } from 'react-router'

import { kindOf } from '../../domain/failures/describe.ts'
import { RouteFailure } from '../../domain/failures/RouteFailure.tsx'
import { entityText } from '../../messages/index.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { BackToEntities } from './BackToEntities.tsx'

/** In the place of the entities; the user above them stays. */
export const EntitiesFailure = () => <RouteFailure title={entityText.failed.title} />

/** In the place of one entity; the list beside it stays. */
export function EntityFailure() {
  const error = useRouteError()
  const { userId = '' } = useParams()
  if (kindOf(error) !== 'missing') throw error
  return (
    <>
      <BackToEntities userId={userId} />
      <EmptyState title={entityText.gone.title}>{entityText.gone.body}</EmptyState>
    </>
  )
}
