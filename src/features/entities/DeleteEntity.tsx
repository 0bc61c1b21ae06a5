import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'

import type { Entity } from '#contract/index.ts'

import { links } from '../../domain/links.ts'
import { useDenied } from '../../auth/use-session.ts'
import { entityText } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { showToast } from '../../ui/toast.tsx'
import { nothingToLose } from '../../domain/writing/unsaved.tsx'
import { deleteEntity } from './writes.ts'

export interface DeleteEntityProps {
  readonly userId: string
  readonly entity: Entity
}

export function DeleteEntity({ userId, entity }: DeleteEntityProps) {
  const { type, properties } = entity
  const [asking, setAsking] = useState(false)
  const deletion = useMutation(deleteEntity({ userId, entityId: entity.id }))
  const navigate = useNavigate()
  const writeDenied = useDenied('entities:write')
  const sensitiveDenied = useDenied('sensitive:write')
  const holdsSensitive = properties.some(({ sensitive }) => sensitive === true)
  const remove = () =>
    deletion.mutate(undefined, {
      onSuccess: () => {
        showToast({ message: entityText.deleted(type) })
        void navigate(links.user(userId), { replace: true, state: nothingToLose })
      },
    })
  return (
    <>
      <DisabledReason reason={writeDenied ?? (holdsSensitive ? sensitiveDenied : undefined)}>
        <Button
          variant="subtle"
          color="red"
          size="compact-sm"
          leftSection={<IconTrash size={14} stroke={1.75} />}
          onClick={() => {
            deletion.reset()
            setAsking(true)
          }}
        >
          {entityText.remove.action}
        </Button>
      </DisabledReason>
      {asking && (
        <Dialog
          title={entityText.remove.title(type, properties.length)}
          {...(deletion.isPending ? {} : { onClose: () => setAsking(false) })}
          actions={
            <>
              <Button variant="default" onClick={() => setAsking(false)} disabled={deletion.isPending}>
                {entityText.bar.cancel}
              </Button>
              <Button color="red" onClick={remove} loading={deletion.isPending}>
                {entityText.remove.confirm(type)}
              </Button>
            </>
          }
        >
          <p>{entityText.remove.body}</p>
          {deletion.error && (
            <InlineFailure
              title={entityText.remove.failed}
              error={deletion.error}
              own={entityText.remove.failure}
            />
          )}
        </Dialog>
      )}
    </>
  )
}
