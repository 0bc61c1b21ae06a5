import { useState } from 'react'

import { offers } from '../../api/index.ts'
import { entityText } from '../../messages/index.ts'
import { changesOf, isTypeChanged, type WriteRequest } from './change.ts'
import { type EntityDraft, isSecret } from './draft.ts'
import classes from './ReviewDialog.module.css'
import type { Place } from './save.ts'

export interface RequestInWordsProps {
  readonly place: Place
  readonly draft: EntityDraft
  readonly request: WriteRequest
}

/** What a save sends: how, which properties, on what condition; and, for those who want it, to the letter. */
export function RequestInWords({ place, draft, request }: RequestInWordsProps) {
  const [isOpen, setOpen] = useState(false)
  const { method, body } = request
  const keys = body.properties.map(({ key }) => String(key))
  const others = (draft.loaded?.properties ?? []).filter(({ key }) => !keys.includes(key)).length
  const sentences =
    method === 'PUT'
      ? entityText.review.put(keys, body.properties.filter(({ masked }) => masked === true).length)
      : entityText.review.patch(keys, others, isTypeChanged(draft))
  return (
    <section aria-label={entityText.review.request} className={classes.request}>
      <p>{sentences.filter((sentence) => sentence !== '').join(' ')}</p>
      <p>{offers('entities.etag') ? entityText.review.ifMatch : entityText.review.readFirst}</p>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{entityText.review.exact}</summary>
        {isOpen && (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
          <pre tabIndex={0} className={`ds-mono ${classes.exact}`}>
            {`${method} /users/${place.userId}/entities/${place.entityId}\n\n${exactly(draft, request)}`}
          </pre>
        )}
      </details>
    </section>
  )
}

function exactly(draft: EntityDraft, { body, rowIds }: WriteRequest): string {
  const rows = [...draft.rows, ...changesOf(draft).map(({ row }) => row)]
  const secret = new Set(rows.filter(isSecret).map(({ id }) => id))
  const properties = body.properties.map((property, index) =>
    'value' in property && secret.has(rowIds[index] ?? '')
      ? { ...property, value: entityText.review.hiddenValue }
      : property,
  )
  return JSON.stringify({ ...body, properties }, null, 2)
}
