import { useRevalidator, useRouteError } from 'react-router'

import { kindOf } from './describe.ts'
import { InlineFailure } from './InlineFailure.tsx'

/** In the place of a part of a page that could not be loaded; what is above and beside it stays. */
export function RouteFailure({ title }: { readonly title: string }) {
  const error = useRouteError()
  const { revalidate, state } = useRevalidator()
  // Something is wrong with the page itself, which is the shell's to say.
  const kind = kindOf(error)
  if (kind === 'fault' || kind === 'unloaded') throw error
  return (
    <InlineFailure
      title={title}
      error={error}
      onRetry={() => void revalidate()}
      retrying={state === 'loading'}
    />
  )
}
