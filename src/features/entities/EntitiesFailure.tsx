import { RouteFailure } from '../../domain/failures/RouteFailure.tsx'
import { entityText } from '../../messages/index.ts'

/** In the place of the entities; the user above them stays. */
export const EntitiesFailure = () => <RouteFailure title={entityText.failed.title} />
