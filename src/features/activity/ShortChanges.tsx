import type { Change, Changeset } from '#contract/index.ts'

import { fieldName } from '../../domain/changes/Changes.tsx'
import { isSensitive } from '../../domain/changes/is-sensitive.ts'
import { keyLabel } from '../../domain/values/key-label.ts'
import { ValueText } from '../../domain/values/ValueText.tsx'
import { changeText, userPageText } from '../../messages/index.ts'
import { HiddenBar } from '../../domain/values/HiddenBar.tsx'
import { fewOf } from '../../ui/few-of.ts'
import classes from './ActivityList.module.css'

const text = userPageText.activity

/** So many are told in the row; all of them once it is unfolded. */
const fewChanges = 3

/** What was changed, old → new, of what was there before and is still there. */
export function ShortChanges({ changeset }: { readonly changeset: Changeset }) {
  const { changes, op, entity } = changeset
  if (op === 'add' || op === 'remove') return null
  const shown = fewOf(changes, fewChanges)
  const isOfUser = entity === undefined || entity === null
  return (
    <div className={classes.short}>
      {shown.map((change) => (
        <p key={change.key} data-sensitive={isSensitive(change) || undefined}>
          <span className={classes.key}>{isOfUser ? fieldName(change.key) : keyLabel(change.key)}</span>{' '}
          <OldAndNew change={change} />
        </p>
      ))}
      {changes.length > shown.length && <p>{text.moreChanges(changes.length - shown.length)}</p>}
    </div>
  )
}

function OldAndNew({ change }: { readonly change: Change }) {
  const { op, type, typeBefore, before, after, masked } = change
  if (isSensitive(change) && masked === true)
    return op === 'change' ? (
      <>
        <HiddenBar /> <span aria-hidden>→</span> <HiddenBar />
      </>
    ) : (
      <>
        <HiddenBar /> {op === 'remove' && <>→ {changeText.removed}</>}
      </>
    )
  return (
    <>
      {op !== 'add' && (
        <s className={classes.old}>
          <ValueText type={typeBefore ?? type} value={before} />
        </s>
      )}{' '}
      <span aria-hidden>→</span>{' '}
      {op === 'remove' ? changeText.removed : <ValueText type={type} value={after} />}
    </>
  )
}
