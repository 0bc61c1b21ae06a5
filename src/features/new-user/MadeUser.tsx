import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

import type { ApiError } from '../../api/index.ts'
import { links } from '../../domain/links.ts'
import { newUserText, userEditText } from '../../messages/index.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { Notice } from '../../domain/people/Notice.tsx'
import { type UserValues, whoIs } from '../../domain/people/user-fields.ts'
import classes from '../../domain/people/UserForm.module.css'

const text = newUserText.made

export interface MadeUserProps {
  readonly id: string
  readonly values: UserValues
  /** Why the details did not follow. */
  readonly error: ApiError
  readonly count: number
  readonly isPending: boolean
  readonly onSave: () => void
  readonly children: ReactNode
}

/** Between the two steps: the user is there, the details are not (or nobody knows). Only the second one is repeated. */
export function MadeUser({ id, values, error, count, isPending, onSave, children }: MadeUserProps) {
  return (
    <form
      noValidate
      className={classes.form}
      data-layout="column"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending) onSave()
      }}
    >
      <Notice title={text.title} actions={<Link to={links.user(id)}>{text.open}</Link>}>
        {text.body(whoIs(values))}
      </Notice>
      {!isPending && <DetailsFailure error={error} />}
      <div className={classes.more}>{children}</div>
      <div className={classes.buttons}>
        <Button type="submit" loading={isPending} disabled={count === 0}>
          {text.submit(count)}
        </Button>
      </div>
    </form>
  )
}

export function DetailsFailure({ error }: { readonly error: ApiError }) {
  return (
    <InlineFailure title={text.failed} error={error} own={{ ...userEditText.failure, lost: text.lost }} />
  )
}
