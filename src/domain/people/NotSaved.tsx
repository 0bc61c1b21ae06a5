import type { ApiError } from '../../api/index.ts'
import { userEditText } from '../../messages/index.ts'
import { InlineFailure } from '../failures/InlineFailure.tsx'

/** Why a write did not work, what is safe, and what to do; above the form, which keeps what was typed. */
export function NotSaved({ error }: { readonly error: ApiError }) {
  const { title, ...own } = userEditText.failure
  return <InlineFailure title={title} error={error} own={own} />
}
