import type { Change, Changeset } from '#contract/index.ts'

import { changeText } from '../../messages/index.ts'
import { ValueText } from '../values/ValueText.tsx'
import { isOfUser } from './labels.ts'

export interface ChangedValueProps {
  readonly changeset: Pick<Changeset, 'entity'>
  readonly change: Change
  readonly side: 'before' | 'after'
}

/** Renders the old or the new value of a change. A user's account is shown as a state, not as a boolean. */
export function ChangedValue({ changeset, change, side }: ChangedValueProps) {
  const { key, type, typeBefore } = change
  const value = change[side]
  if (isOfUser(changeset) && key === 'account' && typeof value === 'boolean')
    return <span>{value ? changeText.account.some : changeText.account.none}</span>
  return <ValueText type={side === 'before' ? (typeBefore ?? type) : type} value={value} />
}
