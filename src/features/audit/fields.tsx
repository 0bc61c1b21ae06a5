import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { useDenied } from '../../auth/use-session.ts'
import { keyLabel } from '../../domain/values/key-label.ts'
import { Suggest } from '../../domain/values/Suggest.tsx'
import { auditText } from '../../messages/index.ts'
import classes from './AuditPage.module.css'
import type { AuditFilter } from './filter.ts'
import { auditActorsQuery, sensitiveKeysQuery } from './queries.ts'

const filterText = auditText.filter

interface LabelledProps {
  readonly label: string
  readonly children: ReactNode
}

/** The field itself has the name; the words are for the eye. */
export function Labelled({ label, children }: LabelledProps) {
  return (
    <div className={classes.field}>
      <span aria-hidden>{label}</span>
      {children}
    </div>
  )
}

interface TextProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

export function ActorField({
  value,
  filter: { from, to },
  onChange,
}: TextProps & { readonly filter: AuditFilter }) {
  const { data } = useQuery(auditActorsQuery({ from, to }))
  return (
    <Labelled label={filterText.actor}>
      <Suggest
        label={filterText.actor}
        value={value}
        onChange={onChange}
        placeholder={filterText.actorHint}
        listLabel={filterText.actors}
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
    <Labelled label={filterText.key}>
      <Suggest
        label={filterText.key}
        value={value}
        onChange={onChange}
        readOnly={denied !== undefined}
        {...(denied !== undefined && { placeholder: denied })}
        listLabel={filterText.keys}
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
