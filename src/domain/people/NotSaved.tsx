import type { ApiError } from '../../api/index.ts'
import { userEditText } from '../../messages/index.ts'
import { InlineFailure } from '../failures/InlineFailure.tsx'

/** Explains, above a form, why a write failed, which data is safe, and how to continue. The form keeps its input. */
export function NotSaved({ error }: { readonly error: ApiError }) {
  const { title, ...own } = userEditText.failure
  return <InlineFailure title={title} error={error} own={own} />
}
