import { useRevalidator, useRouteError } from 'react-router'

import { kindOf } from './describe.ts'
import { InlineFailure } from './InlineFailure.tsx'

/** Replaces the part of a page that could not be loaded; the rest of the page stays. */
export function RouteFailure({ title }: { readonly title: string }) {
  const error = useRouteError()
  const { revalidate, state } = useRevalidator()
  // The app shell reports errors in the console's code, and code that could not be loaded.
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
