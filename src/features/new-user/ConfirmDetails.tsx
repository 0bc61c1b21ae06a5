import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'

import { ApiError } from '../../api/index.ts'
import { Comparison, ComparisonTable } from '../../domain/changes/ComparisonTable.tsx'
import { PropertyText } from '../../domain/definitions/DefinedValue.tsx'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { propertyLabel } from '../../domain/labels.ts'
import { Mask } from '../../domain/values/Mask.tsx'
import { mayUndoLater } from '../../domain/values/older-consent.ts'
import { entityText, newUserText, userEditText } from '../../messages/index.ts'
import { Callout } from '../../ui/Callout.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { SkeletonRows } from '../../ui/skeletons/SkeletonRows.tsx'
import { detailsPlanQuery } from './queries.ts'
import type { Detail, DetailChange, DetailPlan } from './user-details.ts'

const confirmText = newUserText.confirm

interface ConfirmDetailsProps {
  readonly userId: string
  /** Name of the user, and other details that identify them. */
  readonly name: string | undefined
  readonly who: string | undefined
  readonly details: readonly Detail[]
  /** Carries out exactly the plan that was shown; returns `changed` without writing if the plan is outdated. */
  readonly onConfirm: (plan: DetailPlan) => Promise<'done' | 'changed'>
  readonly onClose: () => void
}

export function ConfirmDetails(props: ConfirmDetailsProps) {
  const { userId, name, who, details, onConfirm, onClose } = props
  const { data: plan, error, isFetching, refetch } = useQuery(detailsPlanQuery(useId(), userId, details))
  const [isOther, setIsOther] = useState(false)
  const confirm = useMutation({
    mutationFn: async (shown: DetailPlan) => {
      setIsOther(false)
      if ((await onConfirm(shown)) === 'done') return
      await refetch()
      setIsOther(true)
    },
  })
  const count = plan?.changes.length
  const isSeen = plan !== undefined && !isFetching
  const failure = confirm.error
  if (failure && !(failure instanceof ApiError)) throw failure
  return (
    <Dialog
      title={name === undefined ? confirmText.titleNameless : confirmText.title({ name })}
      onClose={onClose}
      {...(count !== 0 && { back: confirmText.leave })}
      isBusy={confirm.isPending}
      actions={
        // Focused from the start, but inert until the preview of the change is on screen.
        <Button
          loading={confirm.isPending}
          {...(!isSeen && { 'data-disabled': true, 'aria-disabled': true })}
          onClick={() => {
            if (count === 0) onClose()
            else if (plan && isSeen) confirm.mutate(plan)
          }}
        >
          {count === 0 ? confirmText.close : confirmText.submit({ count: count ?? details.length })}
        </Button>
      }
    >
      {who !== undefined && <p>{confirmText.body({ user: who })}</p>}
      {failure && <DetailsFailure error={failure} />}
      {isOther && <p role="alert">{confirmText.changed}</p>}
      {plan ? (
        <PlannedChanges {...plan} />
      ) : error ? (
        <InlineFailure title={confirmText.unread} onRetry={() => void refetch()} retrying={isFetching} />
      ) : (
        <SkeletonRows rows={details.length + 1} />
      )}
    </Dialog>
  )
}

function PlannedChanges({ person, changes }: DetailPlan) {
  if (changes.length === 0) return <p>{confirmText.nothing}</p>
  const older = changes.filter(({ property: { type, value }, before }) => mayUndoLater(type, value, before))
  return (
    <>
      <p>{person ? confirmText.into : confirmText.intoNew}</p>
      {older.map(({ property: { key }, before }) => (
        <Callout
          key={key}
          title={(before?.masked === true ? confirmText.maybeOlder : confirmText.older)({
            label: propertyLabel('person', key),
          })}
        />
      ))}
      <ComparisonTable>
        {changes.map((change) => (
          <PlannedChange key={change.property.key} {...change} />
        ))}
      </ComparisonTable>
    </>
  )
}

function PlannedChange({ property, before, isSecret, becomesSensitive }: DetailChange) {
  const { key, type = '', value } = property
  // The person has typed it, a sensitive value too.
  const after = <PropertyText entityType="person" of={key} type={type} value={value} />
  return (
    <Comparison
      state={before ? 'edited' : 'added'}
      isSecret={isSecret}
      label={propertyLabel('person', key)}
      was={
        !before ? (
          <span className="ds-dimmed">{confirmText.absent}</span>
        ) : before.sensitive === true || before.masked === true ? (
          <Mask label={entityText.review.secret} />
        ) : (
          <PropertyText entityType="person" of={key} type={before.type} value={before.value} />
        )
      }
      willBe={
        becomesSensitive && before ? confirmText.becomesSensitive.withElements({ value: after }) : after
      }
    />
  )
}

export function DetailsFailure({ error }: { readonly error: ApiError }) {
  return (
    <InlineFailure
      title={newUserText.made.failed}
      error={error}
      own={{ ...userEditText.failure, lost: newUserText.made.lost }}
    />
  )
}
