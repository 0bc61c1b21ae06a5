import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { use, useState } from 'react'
import { useNavigate } from 'react-router'

import type { Entity } from '#contract/index.ts'

import { links } from '../../domain/links.ts'
import { useDenied } from '../../auth/use-session.ts'
import { entityText, reasonText, restoringText } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useRestore } from '../../domain/restoring/use-restore.ts'
import { DeleteDialog } from '../../domain/writing/DeleteDialog.tsx'
import { KeptEditsContext } from '../../domain/writing/kept-edits.tsx'
import { nothingToLose } from '../../domain/writing/unsaved.tsx'
import { useReason } from '../../domain/writing/reason.ts'
import { deleteEntity } from './writes.ts'
import { isReasonRequired } from '../../api/index.ts'

const deletionText = entityText.remove

export interface DeleteEntityProps {
  readonly userId: string
  readonly entity: Entity
}

export function DeleteEntity({ userId, entity }: DeleteEntityProps) {
  const { id, type, properties } = entity
  const [asking, setAsking] = useState(false)
  const navigate = useNavigate()
  const { keep } = use(KeptEditsContext)
  const writeDenied = useDenied('entities:write')
  const sensitiveDenied = useDenied('sensitive:write')
  const { restore } = useRestore(
    { userId, entityId: id },
    {
      type,
      // The undo button of the toast cannot ask for a reason, so a required reason gets a fixed text.
      reason: isReasonRequired() ? reasonText.undone : undefined,
      onRestored: () => navigate(links.entity(userId, id)),
    },
  )
  const undo = restore && { label: restoringText.undo, onPress: restore }
  const holdsSensitive = properties.some(({ sensitive }) => sensitive === true)
  return (
    <>
      <DisabledReason reason={writeDenied ?? (holdsSensitive ? sensitiveDenied : undefined)}>
        <Button
          variant="subtle"
          color="red"
          size="compact-sm"
          leftSection={<IconTrash size={14} stroke={1.75} />}
          onClick={() => setAsking(true)}
        >
          {deletionText.action}
        </Button>
      </DisabledReason>
      {asking && (
        <DeletionQuestion
          {...{ userId, entity }}
          isRestorable={undo !== undefined}
          onDeleted={() => {
            // Discard the unsaved edits of the deleted entity.
            keep(id, undefined)
            showToast({ message: entityText.deleted({ type }), ...(undo && { action: undo }) })
            void navigate(links.user(userId), { replace: true, state: nothingToLose })
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

interface DeletionQuestionProps extends DeleteEntityProps {
  readonly isRestorable: boolean
  readonly onDeleted: () => void
  readonly onClose: () => void
}

function DeletionQuestion(props: DeletionQuestionProps) {
  const { userId, isRestorable, onDeleted, onClose } = props
  const { id, type, properties } = props.entity
  const reason = useReason()
  return (
    <DeleteDialog
      title={deletionText.title({ type, count: properties.length })}
      action={deletionText.confirm({ type })}
      reason={reason}
      deletion={deleteEntity({ userId, entityId: id }, reason.given)}
      failed={deletionText.failed}
      own={deletionText.failure}
      onDeleted={onDeleted}
      onClose={onClose}
    >
      <p>{isRestorable ? deletionText.restorable : deletionText.final}</p>
    </DeleteDialog>
  )
}
