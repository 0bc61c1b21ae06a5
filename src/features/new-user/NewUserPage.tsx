import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'

import { emailKey } from '#contract/index.ts'
import { ApiError, keyedWrites, q, type Written } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { links } from '../../domain/links.ts'
import { isRefused } from '../../domain/page-route.ts'
import { NotSaved } from '../../domain/people/NotSaved.tsx'
import {
  toSent,
  blankValues,
  givenFields,
  nameOf,
  userBody,
  type UserFieldName,
  type UserValues,
  identifyUser,
} from '../../domain/people/user-fields.ts'
import { UserForm } from '../../domain/people/UserForm.tsx'
import { useFindsUsers } from '../../domain/people/UserSuggest.tsx'
import { userQuery } from '../../domain/queries/users.ts'
import { BackToList, listAddress } from '../../domain/user-list/BackToList.tsx'
import { nothingToLose } from '../../domain/writing/unsaved.tsx'
import { useSubmitLock } from '../../domain/writing/use-submit-lock.ts'
import { newUserText } from '../../messages/index.ts'
import { Announced } from '../../ui/AnnouncedPart.tsx'
import { Callout } from '../../ui/Callout.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import { ConfirmDetails, DetailsFailure } from './ConfirmDetails.tsx'
import { type Details, DetailsSection, useDetails } from './DetailsSection.tsx'
import { createUser } from './queries.ts'
import { type Detail, type DetailPlan, isSamePlan, planDetails } from './user-details.ts'

export function NewUserPage() {
  const denied = useDenied('users:write')
  return (
    <>
      <PageHeader above={<BackToList />} title={newUserText.title} />
      {denied === undefined ? <NewUser /> : <EmptyState title={denied} underHeading />}
    </>
  )
}

/**
 * Creates a user, or shows the existing one that matches. Details are never part of the create request, since a match
 * would receive them too. They are sent once the user is created, or once the caller has confirmed their effect on the
 * existing user.
 */
function NewUser() {
  const navigate = useNavigate()
  const client = useQueryClient()
  const [write] = useState(keyedWrites)
  const create = useMutation(createUser(write))
  const section = useDetails()
  const { ready, perform } = section
  const [match, setMatch] = useState<Written>()
  /** User created by this page whose details are still to be written. */
  const [created, setCreated] = useState<{ id: string; values: UserValues; error: ApiError }>()

  const open = (userId: string, message: string) => {
    showToast({ message })
    void navigate(links.user(userId), { replace: true, state: nothingToLose })
  }
  const save = async (values: UserValues) => {
    const details = await ready()
    if (!details) return
    setMatch(undefined)
    const written = await create.mutateAsync(userBody(values, givenFields(values)))
    const { id, outcome } = written
    if (outcome !== 'created' || id === undefined) {
      setMatch(written)
      return details.length === 0 ? 'stays' : undefined
    }
    if (details.length > 0)
      try {
        await perform(id, await planDetails(id, details))
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        return () => setCreated({ id, values, error })
      }
    return () => open(id, newUserText.created)
  }
  const cancel = () => {
    const { to, state } = listAddress(client)
    void navigate(to, { state })
  }

  if (created) return <CreatedUser {...created} section={section} onDone={open} />
  return (
    <UserForm
      layout="column"
      initial={blankValues}
      submit={() => newUserText.submit}
      onSave={save}
      onCancel={cancel}
      Failure={NotCreated}
      Below={ExistingUser}
      more={<DetailsSection section={section} />}
    >
      {match && <MatchedUser id={match.id} section={section} onDone={open} />}
    </UserForm>
  )
}

const madeText = newUserText.made

interface CreatedUserProps extends Omit<MatchedUserProps, 'id'> {
  readonly id: string
  readonly values: UserValues
  readonly error: ApiError
}

/** State after a partial success: the user exists without their details. Retries only the details. */
function CreatedUser({ id, values, error, section, onDone }: CreatedUserProps) {
  const { details, ready, perform } = section
  const user = identifyUser(values)
  const once = useSubmitLock()
  const retry = useMutation({
    mutationFn: async (sent: readonly Detail[]) => perform(id, await planDetails(id, sent)),
    onSuccess: (_, sent) => onDone(id, newUserText.confirm.done({ count: sent.length })),
  })
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        once((free) => {
          void ready().then((sent) => (sent ? retry.mutate(sent, { onError: free }) : free()))
        })
      }}
    >
      <Stack gap={16}>
        <Stack gap={16} maw={480}>
          <Callout title={madeText.title} actions={<Link to={links.user(id)}>{madeText.open}</Link>}>
            {user === '' ? madeText.bodyNameless : madeText.body({ user })}
          </Callout>
          {!retry.isPending && (
            <DetailsFailure error={retry.error instanceof ApiError ? retry.error : error} />
          )}
        </Stack>
        <div>
          <DetailsSection section={section} />
        </div>
        <Group justify="flex-end" maw={480} pt={8} pb={24}>
          <Button type="submit" loading={retry.isPending} disabled={details.length === 0}>
            {madeText.submit({ count: details.length })}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const existsText = newUserText.exists

/** Debounce delay, longer than the pause between two typed letters. */
const existsDebounceMs = 400

/** Hint that names the user who already has this e-mail or ref. Advisory: the service checks again on creation. */
function ExistingUser({ name, value }: { readonly name: UserFieldName; readonly value: string }) {
  const typed = toSent(name, value)
  const settled = useDebouncedValue(typed, existsDebounceMs)
  const isPossible = useFindsUsers()
  const isWhole =
    name === 'email' ? /^[^\s@]+@[^\s@.]+\.[^\s@]+$/.test(settled) : name === 'ref' && settled !== ''
  const { data } = useQuery({
    ...q('searchUsers', {
      body: { ...(name === 'email' ? { email: settled } : { ref: settled }), match: 'exact' },
    }),
    // Searched while the person types, and neither cached nor searched again after the creation.
    staleTime: 'static',
    gcTime: 0,
    enabled: isPossible && isWhole && settled === typed,
  })
  // A search ignores case, but refs are case-sensitive.
  const same =
    settled === typed && isWhole
      ? data?.users.find((user) =>
          name === 'email' ? emailKey(user.email ?? '') === emailKey(typed) : user.ref === typed,
        )
      : undefined
  return (
    <Text component="div" size="xs" mt={same ? 4 : 0}>
      <Announced>
        {same &&
          existsText[name === 'email' ? 'email' : 'ref'].withElements({
            name: nameOf(same) ?? existsText.noName,
            link: (
              <Link to={links.user(same.id)} style={{ textDecoration: 'underline' }}>
                {existsText.open}
              </Link>
            ),
          })}
      </Announced>
    </Text>
  )
}

/** Notice above the form: why no user was created, or that the outcome is unknown. The form keeps its input. */
function NotCreated({ error, values }: { readonly error: ApiError; readonly values: UserValues }) {
  if (error.code === 'two_matches') return <TwoMatches error={error} />
  if (!error.outcomeUnknown) return <NotSaved error={error} />
  const isMatched = givenFields(values).some((field) => field === 'email' || field === 'ref')
  if (isMatched) return <InlineFailure title={newUserText.lostTitle}>{newUserText.lostSafe}</InlineFailure>
  if (error.isRepeatable)
    return <InlineFailure title={newUserText.lostTitle}>{newUserText.lostRecognised}</InlineFailure>
  return (
    <InlineFailure title={newUserText.lostTitle}>
      <p>{newUserText.lostUnsafe}</p>
      <Group component="p" gap="4px 16px" mt={4} fw={500}>
        <Link to={links.users()} target="_blank">
          {newUserText.toListElsewhere}
        </Link>
      </Group>
    </InlineFailure>
  )
}

function TwoMatches({ error }: { readonly error: ApiError }) {
  // A user who cannot be read, temporarily or by this caller, still gets a link.
  const users = useQueries({ queries: error.users.map((id) => userQuery(id)) })
  return (
    <InlineFailure
      title={newUserText.twoMatchesTitle}
      error={error}
      own={{ codes: { two_matches: newUserText.twoMatchesBody } }}
    >
      <Group component="p" gap="4px 16px" mt={4} fw={500}>
        {error.users.map((id, index) => {
          const user = users[index]?.data?.user
          const name = user && nameOf(user)
          return (
            <Link key={id} to={links.user(id)}>
              {name === undefined
                ? newUserText.openNameless[index === 0 ? 'first' : 'second']
                : newUserText.openMatch({ name })}
            </Link>
          )
        })}
      </Group>
    </InlineFailure>
  )
}

interface MatchedUserProps {
  /** Id of the existing user; undefined if the service did not return it. */
  readonly id: string | undefined
  readonly section: Details
  readonly onDone: (userId: string, message: string) => void
}

function MatchedUser({ id, ...props }: MatchedUserProps) {
  const { unknownIdTitle, unknownIdBody, unknownIdDetails, toList } = newUserText
  return id === undefined ? (
    <Callout title={unknownIdTitle} actions={<Link to={links.users()}>{toList}</Link>}>
      {unknownIdBody} {props.section.details.length > 0 && unknownIdDetails}
    </Callout>
  ) : (
    <KnownUser id={id} {...props} />
  )
}

function KnownUser({ id, section, onDone }: MatchedUserProps & { readonly id: string }) {
  const { details, ready, perform } = section
  const { data } = useQuery(userQuery(id))
  const who = data && identifyUser(data.user)
  // Details typed for a new user are offered to the existing one immediately.
  const [unconfirmed, setUnconfirmed] = useState(details.length > 0 ? details : undefined)
  const confirm = async (shown: DetailPlan) => {
    const plan = await planDetails(id, unconfirmed ?? [])
    if (plan.changes.length > 0 && !isSamePlan(plan, shown)) return 'changed'
    try {
      await perform(id, plan)
    } catch (error) {
      if (isRefused(error, 412)) return 'changed'
      throw error
    }
    onDone(id, newUserText.confirm.done({ count: shown.changes.length }))
    return 'done'
  }
  return (
    <>
      <Callout
        title={newUserText.exists.title}
        actions={
          <>
            <Link to={links.user(id)}>{newUserText.exists.openUser}</Link>
            {details.length > 0 && (
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => void ready().then((sent) => sent && setUnconfirmed(sent))}
              >
                {newUserText.exists.add({ count: details.length })}
              </Button>
            )}
          </>
        }
      >
        {who === undefined ? newUserText.exists.body : newUserText.exists.who({ user: who })}
      </Callout>
      {unconfirmed && (
        <ConfirmDetails
          userId={id}
          name={data && nameOf(data.user)}
          who={who}
          details={unconfirmed}
          onConfirm={confirm}
          onClose={() => setUnconfirmed(undefined)}
        />
      )}
    </>
  )
}
