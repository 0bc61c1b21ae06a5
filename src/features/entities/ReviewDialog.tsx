import { Button } from '@mantine/core'
import type { ReactNode } from 'react'

import { entityText, sharedText } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import { ValueText } from '../../domain/values/ValueText.tsx'
import { type Change, isTypeChanged, requestOf } from './change.ts'
import { type EntityDraft, isSecret, readRow, type Row } from './draft.ts'
import { RequestInWords } from './RequestInWords.tsx'
import classes from './ReviewDialog.module.css'
import type { Place } from './save.ts'

export interface ReviewDialogProps {
  readonly place: Place
  readonly draft: EntityDraft
  readonly changes: readonly Change[]
  readonly pending: boolean
  readonly onSave: () => void
  readonly onClose: () => void
}

/** What will be different, before it is: was → will be, and what is sent for it. Sensitive values stay hidden. */
export function ReviewDialog({ place, draft, changes, pending, onSave, onClose }: ReviewDialogProps) {
  const typeChanged = isTypeChanged(draft)
  const removed = changes.filter(({ kind }) => kind === 'removed').length
  const changed = changes.length - removed + (typeChanged ? 1 : 0)
  const request = requestOf(draft)
  return (
    <Dialog
      width={860}
      title={entityText.review.title(draft.loaded?.type ?? draft.type)}
      {...(pending ? {} : { onClose })}
      actions={
        <>
          <Button variant="default" onClick={onClose} disabled={pending}>
            {entityText.review.back}
          </Button>
          <Button onClick={onSave} loading={pending}>
            {entityText.review.save(changed, removed)}
          </Button>
        </>
      }
    >
      <div className={classes.scroll}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{entityText.review.key}</th>
              <th scope="col">{entityText.review.was}</th>
              <th scope="col">{entityText.review.willBe}</th>
            </tr>
          </thead>
          <tbody>
            {typeChanged && (
              <Line
                kind="changed"
                name={entityText.review.entityType}
                was={draft.loaded?.type}
                willBe={draft.type}
              />
            )}
            {changes.map((change) => (
              <ChangeLine key={change.row.id} change={change} />
            ))}
          </tbody>
        </table>
      </div>
      {request && <RequestInWords place={place} draft={draft} request={request} />}
    </Dialog>
  )
}

function ChangeLine({ change }: { readonly change: Change }) {
  const { row, kind } = change
  if (kind === 'added')
    return (
      <Line
        kind={kind}
        name={<Key row={row} />}
        was={sharedText.none}
        willBe={<NewState row={row} aspects={['type', 'value']} />}
      />
    )
  const { loaded } = change
  const secret = isSecret(row)
  if (kind === 'removed')
    return (
      <Line
        kind={kind}
        name={<Key row={row} />}
        was={secret ? <Secret /> : <ValueText type={loaded.type} value={loaded.value} />}
        willBe={entityText.review.removed}
      />
    )
  const { aspects } = change
  return (
    <Line
      kind={kind}
      name={<Key row={row} />}
      was={
        <span className={classes.state}>
          {aspects.includes('key') && <span className="ds-mono">{loaded.key}</span>}
          {aspects.includes('type') && <span>{loaded.type}</span>}
          {(aspects.includes('value') || aspects.includes('type')) &&
            (secret ? <Secret /> : <ValueText type={loaded.type} value={loaded.value} />)}
          {aspects.includes('sensitive') && <Sensitivity on={loaded.sensitive === true} />}
        </span>
      }
      willBe={<NewState row={row} aspects={aspects} />}
    />
  )
}

function NewState({ row, aspects }: { readonly row: Row; readonly aspects: readonly string[] }) {
  const read = readRow(row)
  const secret = isSecret(row)
  return (
    <span className={classes.state}>
      {aspects.includes('key') && <span className="ds-mono">{row.key}</span>}
      {aspects.includes('type') && <span>{row.type}</span>}
      {aspects.includes('value') && secret && <Secret changed={row.loaded !== undefined} />}
      {(aspects.includes('value') || aspects.includes('type')) &&
        !secret &&
        read !== 'kept' &&
        !read.issues && <ValueText type={row.type} value={read.value} />}
      {aspects.includes('sensitive') && <Sensitivity on={row.sensitive} />}
    </span>
  )
}

function Key({ row }: { readonly row: Row }) {
  return (
    <>
      <span className="ds-mono">{row.key}</span> {isSecret(row) && <SensitiveMark />}
    </>
  )
}

function Secret({ changed = false }: { readonly changed?: boolean }) {
  return (
    <span className={classes.secret}>
      {changed ? entityText.review.secretChanged : entityText.review.secret}
    </span>
  )
}

function Sensitivity({ on }: { readonly on: boolean }) {
  return (
    <span className={on ? classes.secret : undefined}>
      {on ? entityText.review.sensitive : entityText.review.notSensitive}
    </span>
  )
}

interface LineProps {
  readonly kind: Change['kind']
  readonly name: ReactNode
  readonly was: ReactNode
  readonly willBe: ReactNode
}

function Line({ kind, name, was, willBe }: LineProps) {
  return (
    <tr data-kind={kind} className={classes.line}>
      <th scope="row">
        {name}
        <span className={classes.kind}>{entityText.review[kind]}</span>
      </th>
      <td>{was}</td>
      <td>{willBe}</td>
    </tr>
  )
}
