import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ComponentType, useState } from 'react'
import { flushSync } from 'react-dom'
import { useNavigate } from 'react-router'

import { ApiError, type Written, keyedWrites } from '../../api/index.ts'
import { atRows } from '../../domain/failures/pointers.ts'
import { links } from '../../domain/links.ts'
import { nothingToLose, Unsaved } from '../../domain/writing/unsaved.tsx'
import { useDenied } from '../../auth/use-session.ts'
import { newUserText } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { showToast } from '../../ui/toast.tsx'
import { entitiesQuery } from '../../domain/queries/entities.ts'
import type { DetailsFieldsProps } from './DetailsFields.tsx'
import { ExistingUser } from './ExistingUser.tsx'
import { BackToList, listAddress } from '../../domain/user-list/BackToList.tsx'
import { MadeUser } from './MadeUser.tsx'
import { MatchedUser } from './MatchedUser.tsx'
import { NotCreated } from './NotCreated.tsx'
import { createUser } from './queries.ts'
import {
  carryOut,
  type Detail,
  type DetailIssues,
  type DetailPlan,
  type DetailRow,
  newRow,
  planDetails,
  readDetails,
  samePlan,
} from './user-details.ts'
import { blankValues, bodyOf, givenFields, type UserValues } from '../../domain/people/user-fields.ts'
import { UserForm } from '../../domain/people/UserForm.tsx'

// The inputs of typed values weigh as much as the rest of the page, and most users are made without.
const loadFields = () => import('./DetailsFields.tsx')
const fetchAhead = () => void loadFields().catch(() => undefined)
const addDetailsId = 'add-details'
const nothingRefused: DetailIssues = new Map()

export function NewUserPage() {
  const denied = useDenied('users:write')
  return (
    <>
      <PageHeader above={<BackToList />} title={newUserText.title} />
      {denied === undefined ? <NewUser /> : <EmptyState title={denied} />}
    </>
  )
}

/**
 * Makes a user, or leads to the one who matches. Details are never sent along, since a match would take them too: they
 * follow once the user is made, or once somebody has seen what they would do to the one who was there.
 */
function NewUser() {
  const navigate = useNavigate()
  const client = useQueryClient()
  const [writeUser] = useState(keyedWrites)
  const [writeDetails] = useState(keyedWrites)
  const create = useMutation(createUser(writeUser))
  const [match, setMatch] = useState<Written>()
  const [asked, setAsked] = useState<readonly Detail[]>()
  /** Made by this page, with details that are still to follow. */
  const [made, setMade] = useState<{ id: string; values: UserValues; error: ApiError }>()
  const [rows, setRows] = useState<readonly DetailRow[]>([])
  const [Fields, setFields] = useState<ComponentType<DetailsFieldsProps>>()
  const [isTried, setIsTried] = useState(false)
  const [refused, setRefused] = useState(nothingRefused)
  const { details, issues } = readDetails(rows)

  /** Whether the details can be sent; leads to what keeps them from it. */
  const isReady = () => {
    flushSync(() => setIsTried(true))
    if (issues.size > 0) document.querySelector<HTMLElement>('fieldset [aria-invalid="true"]')?.focus()
    return issues.size === 0
  }
  const perform = async (userId: string, plan: DetailPlan) => {
    setRefused(nothingRefused)
    try {
      await writeDetails([userId, plan], (keyed) => carryOut(userId, plan, keyed))
    } catch (error) {
      if (error instanceof ApiError) {
        const rowIds = plan.changes.map(({ rowId }) => rowId)
        setRefused(atRows(error.errors, rowIds).rows)
      }
      throw error
    } finally {
      void client.invalidateQueries({ queryKey: entitiesQuery(userId).queryKey })
    }
  }
  const open = (userId: string, message: string) => {
    showToast({ message })
    void navigate(links.user(userId), { replace: true, state: nothingToLose })
  }

  const save = async (values: UserValues) => {
    if (!isReady()) return
    setMatch(undefined)
    const written = await create.mutateAsync(bodyOf(values, givenFields(values)))
    const { id, outcome } = written
    if (outcome !== 'created' || id === undefined) {
      if (details.length === 0) return () => setMatch(written)
      setMatch(written)
      if (id !== undefined) setAsked(details)
      return
    }
    if (details.length > 0)
      try {
        await perform(id, await planDetails(id, details))
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        return () => setMade({ id, values, error })
      }
    return () => open(id, newUserText.created)
  }
  const retry = useMutation({
    mutationFn: async (userId: string) => perform(userId, await planDetails(userId, details)),
    onSuccess: (_nothing, userId) => open(userId, newUserText.confirm.done(details.length)),
    gcTime: 0,
  })
  /** Exactly what was shown, or else it is shown anew. */
  const confirm = async (userId: string, shown: DetailPlan) => {
    const plan = await planDetails(userId, asked ?? [])
    if (plan.changes.length > 0 && !samePlan(plan, shown)) return 'changed'
    try {
      await perform(userId, plan)
    } catch (error) {
      if (error instanceof ApiError && error.status === 412) return 'changed'
      throw error
    }
    open(userId, newUserText.confirm.done(shown.changes.length))
    return 'done'
  }
  const cancel = () => {
    const { to, state } = listAddress()
    void navigate(to, { state })
  }
  const addDetails = async () => {
    const loaded = await loadFields().catch(() => undefined)
    if (!loaded) return showToast({ message: newUserText.details.unavailable, tone: 'failure' })
    const row = newRow()
    flushSync(() => {
      setFields(() => loaded.DetailsFields)
      setRows([row])
      setIsTried(false)
    })
    loaded.focusRow(row)
  }

  const section = (
    <>
      {details.length + issues.size > 0 && <Unsaved />}
      {Fields && rows.length > 0 ? (
        <Fields
          rows={rows}
          issues={issues}
          isTried={isTried}
          refused={refused}
          addButtonId={addDetailsId}
          onChange={(next) => {
            setRows(next)
            setRefused(nothingRefused)
          }}
        />
      ) : (
        <AddDetails onClick={() => void addDetails()} />
      )}
    </>
  )
  return made ? (
    <MadeUser
      {...made}
      error={retry.error instanceof ApiError ? retry.error : made.error}
      count={details.length}
      isPending={retry.isPending}
      onSave={() => {
        if (isReady()) retry.mutate(made.id)
      }}
    >
      {section}
    </MadeUser>
  ) : (
    <UserForm
      layout="column"
      initial={blankValues}
      needsChange={false}
      submit={() => newUserText.submit}
      onSave={save}
      onCancel={cancel}
      Failure={NotCreated}
      Below={ExistingUser}
      more={section}
    >
      {match && (
        <MatchedUser
          id={match.id}
          details={details}
          asked={asked}
          onAsk={() => {
            if (isReady()) setAsked(details)
          }}
          onConfirm={confirm}
          onClose={() => setAsked(undefined)}
        />
      )}
    </UserForm>
  )
}

function AddDetails({ onClick }: { readonly onClick: () => void }) {
  const denied = useDenied('entities:write')
  return (
    <div>
      <DisabledReason reason={denied}>
        <Button
          id={addDetailsId}
          variant="subtle"
          leftSection={<IconPlus size={15} />}
          onClick={onClick}
          onPointerEnter={fetchAhead}
          onFocus={fetchAhead}
        >
          {newUserText.details.add}
        </Button>
      </DisabledReason>
    </div>
  )
}
