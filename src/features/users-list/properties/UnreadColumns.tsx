import { InlineFailure } from '../../../domain/failures/InlineFailure.tsx'
import { userListText } from '../../../messages/index.ts'

const { title, kept } = userListText.columns.unread

interface UnreadColumnsProps {
  readonly error: Error
  readonly onRetry: () => void
  readonly isRetrying: boolean
}

/** Above the rows, whose columns of properties are empty for this reason alone. */
export function UnreadColumns({ error, onRetry, isRetrying }: UnreadColumnsProps) {
  return <InlineFailure title={title} error={error} own={{ kept }} onRetry={onRetry} retrying={isRetrying} />
}
