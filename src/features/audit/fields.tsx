import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'

import { useDenied } from '../../auth/use-session.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import { type Candidate, useCandidates } from '../../domain/people/use-candidates.ts'
import { usePeople } from '../../domain/people/use-people.ts'
import { keyLabel } from '../../domain/values/key-label.ts'
import { Suggest } from '../../domain/values/Suggest.tsx'
import { auditText, judgementText } from '../../messages/index.ts'
import classes from './AuditPage.module.css'
import type { AuditFilter } from './filter.ts'
import { auditActorsQuery, sensitiveKeysQuery } from './queries.ts'

const text = auditText.filter

/** Somebody who was chosen, or what is typed to find them. */
export interface Sought {
  readonly id?: string | undefined
  readonly typed?: string
}

interface LabelledProps {
  readonly label: string
  readonly problem?: string | undefined
  readonly problemId?: string
  readonly children: ReactNode
}

/** The field itself has the name; the words are for the eye. */
export function Labelled({ label, problem, problemId, children }: LabelledProps) {
  return (
    <div className={classes.field}>
      <span aria-hidden>{label}</span>
      {children}
      {problem !== undefined && (
        <span id={problemId} className={classes.problem}>
          {problem}
        </span>
      )}
    </div>
  )
}

interface PersonProps {
  readonly user: Sought
  readonly problem: string | undefined
  readonly onChange: (user: Sought) => void
}

/** Found by what is known of them, which goes to the service in a body. */
export function PersonField({ user, problem, onChange }: PersonProps) {
  const problemId = useId()
  const [isOpen, setOpen] = useState(false)
  const denied = useDenied('users:read')
  const [known] = usePeople(user.id === undefined ? [] : [user.id])
  const typed = user.typed ?? (known && nameOf(known)) ?? user.id ?? ''
  const { options, note, isSure } = useCandidates(typed.trim(), isOpen && denied === undefined)
  return (
    <Labelled label={text.user} problem={problem} problemId={problemId}>
      <Suggest<Candidate>
        label={text.user}
        value={typed}
        onChange={(next) => onChange({ typed: next })}
        placeholder={denied === undefined ? judgementText.check.search : judgementText.check.byId}
        maxLength={200}
        invalid={problem !== undefined}
        describedBy={problem === undefined ? undefined : problemId}
        listLabel={judgementText.check.users}
        options={options}
        note={note}
        enterTakes={isSure ? 'first' : 'none'}
        idOf={({ id }) => id}
        renderOption={({ name, details }) => (
          <>
            {name} <span className="ds-dimmed">{details}</span>
          </>
        )}
        onChoose={({ id, name }) => onChange({ id, typed: name })}
        onOpenChange={setOpen}
      />
    </Labelled>
  )
}

interface TextProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

export function ActorField({ value, filter, onChange }: TextProps & { readonly filter: AuditFilter }) {
  const { data } = useQuery(auditActorsQuery(filter))
  return (
    <Labelled label={text.actor}>
      <Suggest
        label={text.actor}
        value={value}
        onChange={onChange}
        placeholder={text.actorHint}
        listLabel={text.actors}
        options={matching(data?.actors.map(({ actor }) => actor) ?? [], value)}
        idOf={(actor) => actor}
        renderOption={(actor) => actor}
        onChoose={onChange}
      />
    </Labelled>
  )
}

export function KeyField({ value, onChange }: TextProps) {
  const denied = useDenied('entities:read')
  const query = sensitiveKeysQuery()
  const { data = [] } = useQuery({ ...query, enabled: denied === undefined && query.enabled === true })
  return (
    <Labelled label={text.key}>
      <Suggest
        label={text.key}
        value={value}
        onChange={onChange}
        readOnly={denied !== undefined}
        {...(denied !== undefined && { placeholder: denied })}
        listLabel={text.keys}
        options={matching(data, value)}
        idOf={(key) => key}
        renderOption={(key) => (
          <>
            {keyLabel(key)} <span className="ds-mono ds-dimmed">{key}</span>
          </>
        )}
        onChoose={onChange}
      />
    </Labelled>
  )
}

/** More are found by typing. */
const shownOptions = 50

const matching = (options: readonly string[], typed: string): readonly string[] =>
  options.filter((option) => option.toLowerCase().includes(typed.trim().toLowerCase())).slice(0, shownOptions)
