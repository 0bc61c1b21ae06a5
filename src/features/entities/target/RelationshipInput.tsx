import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'

import { type Entity, readValue, unknownEmail } from '#contract/index.ts'

import { offers } from '../../../api/index.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { targetText } from '../../../messages/index.ts'
import { shortId } from '../../../ui/ShortId.tsx'
import { Suggest } from '../../../domain/values/Suggest.tsx'
import { useSettled } from '../../../ui/use-settled.ts'
import type { RelationshipProps } from '../../../domain/values/TypedInputs.tsx'
import { usersQuery } from '../../../domain/queries/users.ts'
import { entitiesQuery } from '../../../domain/queries/entities.ts'
import classes from './target.module.css'
import { nameOf, titleOf } from './TargetLink.tsx'

/**
 * Finds the user by what is known of them, then one of their entities, if one is meant; both take an id, too. What is
 * typed to find somebody goes to the service in a body, and stands nowhere but in the input.
 */
export function RelationshipInput({ user, entity, onChoose }: RelationshipProps) {
  const { userId = '' } = useParams()
  const [asks, setAsks] = useState<'user' | 'entity'>()
  const mayUsers = useDenied('users:read') === undefined
  const isSearched = mayUsers && offers('users.search')
  const users = useUsers(user.value.trim(), asks === 'user' && isSearched, userId)
  const entities = useEntities(user.value.trim(), entity.value.trim(), asks === 'entity')
  const asking = (part: 'user' | 'entity') => (isOpen: boolean) =>
    setAsks((before) => (isOpen ? part : before === part ? undefined : before))
  return (
    <>
      <Suggest
        {...user}
        mono={isId(user.value.trim())}
        {...(isSearched && { placeholder: targetText.search })}
        // The longest text that a service searches for.
        maxLength={200}
        listLabel={targetText.users}
        options={users.options}
        enterTakes={isId(user.value.trim()) ? undefined : users.isSure ? 'first' : 'none'}
        note={users.note ?? (isSearched ? undefined : noteWithoutSearch(user.value.trim(), mayUsers))}
        idOf={({ id }) => id}
        renderOption={({ name, details }) => (
          <span className={classes.option}>
            <span>{name}</span>
            <span className={classes.details}>{details}</span>
          </span>
        )}
        onChoose={({ id }) => onChoose({ user: id })}
        onOpenChange={asking('user')}
      />
      <Suggest
        {...entity}
        mono={isId(entity.value.trim())}
        placeholder={targetText.entityPlaceholder}
        listLabel={targetText.entities}
        options={entities.options}
        enterTakes={isId(entity.value.trim()) ? undefined : 'first'}
        note={entities.note}
        idOf={({ id }) => id}
        renderOption={(option) => (
          <span className={classes.option}>
            <span>{titleOf(option)}</span>
            <span className={`${classes.details} ds-mono`}>{shortId(option.id)}</span>
          </span>
        )}
        onChoose={({ id }) => onChoose({ user: user.value.trim(), entity: id })}
        onOpenChange={asking('entity')}
      />
    </>
  )
}

const isId = (text: string) => !readValue('RELATIONSHIP', { user: text }).issues

const shownUsers = 8
const debounceMs = 150

interface FoundUser {
  readonly id: string
  readonly name: string
  readonly details: string
}

function noteWithoutSearch(typed: string, mayUsers: boolean): string | undefined {
  if (isId(typed)) return undefined
  return mayUsers ? targetText.noSearch : targetText.byId
}

/** Searches as it is typed, while the list is open. Nothing typed: whose entity this is, which is often meant. */
function useUsers(typed: string, isOpen: boolean, userId: string) {
  const settled = useSettled(typed, debounceMs)
  const isAsked = isOpen && typed !== '' && !isId(typed)
  const { data, isError } = useQuery({
    ...usersQuery({ q: settled }),
    enabled: isAsked && settled === typed,
    // What is looked up is not remembered for long.
    gcTime: 10_000,
  })
  const [before, setBefore] = useState<typeof data>()
  const answer = isAsked && settled === typed ? data : undefined
  if (answer && answer !== before) setBefore(answer)
  const own: FoundUser[] = [{ id: userId, name: targetText.thisUser, details: shortId(userId) }]
  if (!isOpen) return { options: [], isSure: false, note: undefined }
  if (!isAsked) return { options: typed === '' ? own : [], isSure: false, note: undefined }
  if (isError && settled === typed) return { options: [], isSure: false, note: targetText.failed }
  // Until the next answer is there, the last one stays, and is not taken for it.
  const shown = (answer ?? before)?.users ?? []
  const options = shown.slice(0, shownUsers).map(({ id, name, email, ref }): FoundUser => {
    const details = [email === unknownEmail ? '' : email, ref].filter(Boolean).join(' · ')
    return { id, name: nameOf({ name }), details: details === '' ? shortId(id) : details }
  })
  if (!answer) return { options, isSure: false, note: targetText.searching }
  const total = answer.total ?? undefined
  const isMore = options.length < (total ?? answer.users.length)
  return {
    options,
    isSure: answer.similar !== true,
    note:
      options.length === 0
        ? targetText.nothing
        : answer.similar === true
          ? targetText.similar
          : isMore
            ? targetText.more(options.length, answer.atLeast === true ? undefined : total)
            : undefined,
  }
}

/** The entities of the user, narrowed down by what is typed, unless that is an id. */
function useEntities(user: string, typed: string, isOpen: boolean) {
  const isChosen = isId(user)
  const { data, isError } = useQuery({ ...entitiesQuery(user), enabled: isOpen && isChosen })
  const none: readonly Entity[] = []
  if (!isOpen) return { options: none, note: undefined }
  if (!isChosen) return { options: none, note: targetText.userFirst }
  if (!data) return { options: none, note: isError ? targetText.entitiesFailed : targetText.loadingEntities }
  const words = isId(typed) ? '' : typed.toLowerCase()
  const options = data.filter((entity) => `${titleOf(entity)} ${entity.id}`.toLowerCase().includes(words))
  const note =
    data.length === 0 ? targetText.noEntities : options.length === 0 ? targetText.noSuchEntity : undefined
  return { options, note }
}
