import { Button, Group, Stack, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { createContext, type KeyboardEvent, use, useId, useState } from 'react'

import type { Entity } from '#contract/index.ts'
import { isRepeatable } from '../../../api/index.ts'
import { InlineFailure, type InlineFailureProps } from '../../../domain/failures/InlineFailure.tsx'
import { propertyLabel } from '../../../domain/labels.ts'
import { KeptEditsContext } from '../../../domain/writing/kept-edits.tsx'
import { isReasonMissing, useReason, ReasonField } from '../../../domain/writing/reason.tsx'
import { Unsaved } from '../../../domain/writing/unsaved.tsx'
import { useSubmitLock } from '../../../domain/writing/use-submit-lock.ts'
import { entityText } from '../../../messages/index.ts'
import { listNames } from '../../../messages/listed.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ariaKeys, isSaveKey } from '../../../ui/keys/shortcut.ts'
import { StateMark } from '../../../ui/StateMark.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { differenceOf, unmasksValue } from '../draft/difference.ts'
import { type EntityDraft, hasIssues, issuesOf } from '../draft/entity-draft.ts'
import { hasConflicts } from '../draft/merge.ts'
import { nameOf, titleOf } from '../draft/title.ts'
import { ChangesTable } from './ChangesTable.tsx'
import { useOlderConsents } from './OlderConsents.tsx'
import type { EntitySaveResult } from './save.ts'
import { saveEntities } from './writes.ts'

const { reviewAll: reviewAllText, failure } = entityText

interface ReviewAll {
  readonly count: number
  readonly open: () => void
}

/** Review of all unsaved edits of a user; undefined unless more than one entity has any. */
export const ReviewAllContext = createContext<ReviewAll | undefined>(undefined)

export interface Reviewed {
  /** Id of the last entity that was saved. */
  readonly saved: string | undefined
  /** Entity that is still unsaved, and the property in it that takes the focus. */
  readonly left: { readonly id: string; readonly openedFor: string } | undefined
}

interface ReviewAllDialogProps {
  readonly userId: string
  /** Entities with unsaved edits, in the order of the page. */
  readonly entities: readonly Entity[]
  /** @param reviewed Undefined if the page stays as it is: nothing was sent, and no entity was chosen to go to. */
  readonly onClose: (reviewed?: Reviewed) => void
}

interface Item {
  readonly entity: Entity
  readonly draft: EntityDraft
  /** Result of the last attempt; undefined before the first. */
  readonly result?: EntitySaveResult | undefined
}

/** Reviews all unsaved edits of a user's entities under one reason. Each is saved by its own request, in turn. */
export function ReviewAllDialog({ userId, entities, onClose }: ReviewAllDialogProps) {
  const edits = use(KeptEditsContext)
  const once = useSubmitLock()
  // Drafts as they were when the dialog opened, because a saved draft is removed from the kept edits.
  const [items, setItems] = useState(() =>
    entities.map((entity): Item => ({ entity, draft: edits.of(entity.id) as EntityDraft })),
  )
  const [saving] = useState(() => saveEntities(userId))
  const { mutate, isPending } = useMutation(saving)
  const ready = items.filter((item) => !isSaved(item) && isSound(item))
  const older = useOlderConsents()
  const reason = useReason('', ready.map(({ draft }) => draft).some(unmasksValue))

  const leave = (now: readonly Item[], to = now.find((item) => !isSaved(item))) =>
    onClose({
      saved: now.findLast(isSaved)?.entity.id,
      left: to && { id: to.entity.id, openedFor: keyInQuestion(to.draft) },
    })
  const finish = (results: ReadonlyMap<string, EntitySaveResult>) => {
    const after = items.map((item): Item => {
      const result = results.get(item.entity.id)
      return result ? { ...item, result, draft: 'draft' in result ? result.draft : item.draft } : item
    })
    for (const item of after) edits.keep(item.entity.id, isSaved(item) ? undefined : item.draft)
    setItems(after)
    if (after.some(lacksReason)) reason.demand()
    if (!after.every(isSaved)) return
    const theirs = after.flatMap((item) =>
      theirsOf(item).map((label) => reviewAllText.theirs({ label, entity: itemTitle(item) })),
    )
    const saved = { count: changeCount(after), entities: after.length }
    showToast({
      message:
        theirs.length === 0
          ? reviewAllText.saved(saved)
          : reviewAllText.savedWithTheirs({ ...saved, properties: listNames(theirs) }),
    })
    leave(after)
  }
  const save = () => {
    if (ready.length === 0 || !reason.isReady()) return
    const drafts = ready.map(({ draft }) => draft)
    older.guard(drafts, () =>
      once((free) => mutate({ drafts, reason: reason.given }, { onSuccess: finish, onSettled: free })),
    )
  }
  const saveByKey = (event: KeyboardEvent) => {
    if (!isSaveKey(event)) return
    event.preventDefault()
    if (!event.repeat) save()
  }
  const close = () => (items.some(({ result }) => result) ? leave(items) : onClose())
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the button within does the same
    <div onKeyDown={saveByKey}>
      {isPending ? <Unsaved question={entityText.leaveUnsettled} /> : older.question}
      <Dialog
        width={860}
        title={reviewAllText.title}
        onClose={close}
        back={entityText.review.back}
        isBusy={isPending}
        actions={
          ready.length > 0 && (
            <Button onClick={save} loading={isPending} aria-keyshortcuts={ariaKeys('Mod+S')}>
              {reviewAllText.save({ count: changeCount(ready), entities: ready.length })}
            </Button>
          )
        }
      >
        <Stack gap="lg">
          {items.map((item) => (
            <ItemSection key={item.entity.id} item={item} onGo={() => leave(items, item)} />
          ))}
        </Stack>
        {ready.length > 0 && <ReasonField reason={reason} onEnter={save} />}
      </Dialog>
    </div>
  )
}

function ItemSection({ item, onGo }: { readonly item: Item; readonly onGo: () => void }) {
  const { draft } = item
  const titleId = useId()
  const trouble = troubleOf(item)
  const theirs = theirsOf(item)
  return (
    <section aria-labelledby={titleId}>
      <Group gap="xs" pb="xs">
        <Title order={3} id={titleId} fz="md" fw={600} dir="auto">
          {itemTitle(item)}
        </Title>
        {isSaved(item) && <StateMark tone="success">{reviewAllText.done}</StateMark>}
      </Group>
      <Stack gap="xs">
        {trouble && (
          <InlineFailure {...trouble}>
            {trouble.children}
            <Button variant="default" size="compact-sm" mt="xs" onClick={onGo}>
              {reviewAllText.goTo}
            </Button>
          </InlineFailure>
        )}
        {theirs.length > 0 && <p>{reviewAllText.keptTheirs({ properties: listNames(theirs) })}</p>}
        {!isSaved(item) && <ChangesTable draft={draft} />}
      </Stack>
    </section>
  )
}

function isSaved({ result }: Item): boolean {
  return result?.outcome === 'saved' || result?.outcome === 'saved unread'
}

/** Returns the labels of the properties of a saved entity that somebody else wrote in the meantime. */
function theirsOf({ entity, result }: Item): readonly string[] {
  const theirs = result?.outcome === 'saved' ? (result.theirs ?? []) : []
  return theirs.map((key) => propertyLabel(entity.type, key))
}

function itemTitle({ entity }: Item): string {
  return nameOf(titleOf(entity))
}

function lacksReason({ result }: Item): boolean {
  return result?.outcome === 'failed' && isReasonMissing(result.error)
}

/** Whether a draft can be sent as it is. */
function isSound({ draft }: Item): boolean {
  return !hasConflicts(draft) && !hasIssues(issuesOf(draft))
}

function changeCount(items: readonly Item[]): number {
  return items.reduce((sum, { draft }) => sum + differenceOf(draft).count, 0)
}

/** Returns why an entity was not saved, or cannot be saved yet. */
function troubleOf(item: Item): InlineFailureProps | undefined {
  const { draft, result } = item
  if (hasConflicts(draft)) return { title: failure.conflictTitle, children: <p>{reviewAllText.undecided}</p> }
  if (!isSound(item)) return { title: reviewAllText.invalid, children: <p>{reviewAllText.invalidBody}</p> }
  if (result?.outcome === 'failed') {
    const { title, missing, lost, other, fault } = failure
    return { title, error: result.error, own: { missing, lost, other, fault } }
  }
  if (result?.outcome === 'unknown') {
    const body = isRepeatable(result.error) ? failure.unknownRepeatable : reviewAllText.unknown
    return { title: failure.unknownTitle, children: <p>{body}</p> }
  }
  return result?.outcome === 'unclear'
    ? { title: failure.unclearTitle, children: <p>{reviewAllText.unclear}</p> }
    : undefined
}

/** Returns the stored key of the first property that needs attention, or else of the first changed one. */
function keyInQuestion(draft: EntityDraft): string {
  const { rows } = issuesOf(draft)
  const [changed] = differenceOf(draft).changes
  const row = draft.rows.find(({ id, contested }) => contested || rows.has(id)) ?? changed
  return row?.loaded?.key ?? ''
}
