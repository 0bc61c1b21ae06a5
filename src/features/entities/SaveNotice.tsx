import { Button } from '@mantine/core'
import { useState } from 'react'

import type { EntityId } from '#contract/index.ts'

import { ApiError, offers } from '../../api/index.ts'
import { entityText } from '../../messages/index.ts'
import { InlineFailure, type InlineFailureProps } from '../../domain/failures/InlineFailure.tsx'
import { atRows } from '../../domain/failures/pointers.ts'
import classes from './EntityForm.module.css'
import type { Attempt, SaveResult } from './save.ts'

/** Why the form is still there after a save. */
export type Trouble = Exclude<SaveResult, { outcome: 'saved' }>

export interface SaveNoticeProps {
  readonly trouble: Trouble
  readonly pending: boolean
  readonly onCheck: (attempt: Attempt, error: unknown) => void
  readonly onReadAgain: (id: EntityId | undefined) => Promise<void>
}

/** Above the form: what happened, what is safe, what to do. */
export function SaveNotice({ trouble, pending, onCheck, onReadAgain }: SaveNoticeProps) {
  const { failure } = entityText
  switch (trouble.outcome) {
    case 'conflict':
      return <Notice title={failure.conflictTitle}>{failure.conflictBody}</Notice>
    case 'unclear':
      return <Notice title={failure.unclearTitle}>{failure.unclearBody}</Notice>
    case 'unknown':
      return (
        <Notice title={failure.unknownTitle}>
          <p>
            {`${offers('idempotency') ? failure.unknownRepeatable : failure.unknownBody} ${failure.kept}`}
          </p>
          <Button
            variant="default"
            loading={pending}
            onClick={() => onCheck(trouble.attempt, trouble.error)}
            className={classes.noticeAction}
          >
            {offers('idempotency') ? failure.repeat : failure.check}
          </Button>
        </Notice>
      )
    case 'saved unread':
      return (
        <Notice title={failure.unreadTitle}>
          <p>{failure.unreadBody}</p>
          <ReadAgain onReadAgain={() => onReadAgain(trouble.id)} />
        </Notice>
      )
    case 'failed': {
      const { error, request } = trouble
      const rest = error instanceof ApiError && request ? atRows(error.errors, request.rowIds).rest : []
      const { title, notSent, kept, missing, lost, other, fault, invalid } = failure
      const own = { missing, lost, other, fault, invalid, rest }
      return (
        <Notice title={title} error={error} own={own}>
          {request ? kept : `${notSent} ${kept}`}
        </Notice>
      )
    }
  }
}

function Notice(props: InlineFailureProps) {
  return (
    <div className={classes.notice}>
      <InlineFailure {...props} />
    </div>
  )
}

function ReadAgain({ onReadAgain }: { readonly onReadAgain: () => Promise<void> }) {
  const [pending, setPending] = useState(false)
  return (
    <Button
      variant="default"
      loading={pending}
      className={classes.noticeAction}
      onClick={() => {
        setPending(true)
        // When it fails again, the notice that says so is already here.
        onReadAgain().catch(() => setPending(false))
      }}
    >
      {entityText.failure.readAgain}
    </Button>
  )
}
