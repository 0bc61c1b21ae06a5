import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { auditKinds, type KnownKey } from '#contract/index.ts'
import { q } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { propertyLabel } from '../../domain/labels.ts'
import { LogFilterForm, type SpanPreset, spanToNow } from '../../domain/log-page/LogFilterForm.tsx'
import { SuggestField } from '../../domain/log-page/SuggestField.tsx'
import { isUserId } from '../../domain/people/UserSuggest.tsx'
import { auditFilterText, auditText, logPageText } from '../../messages/index.ts'
import { dayMs } from '../../ui/moments.tsx'
import type { Zones } from '../../ui/time.ts'
import { auditActorsQuery, type AuditFilter } from './queries.ts'

function lastMonth(shown: Zones['shown']): SpanPreset {
  const now = new Date()
  const [year, month] =
    shown === 'utc' ? [now.getUTCFullYear(), now.getUTCMonth()] : [now.getFullYear(), now.getMonth()]
  const first = (of: number) => (shown === 'utc' ? new Date(Date.UTC(year, of, 1)) : new Date(year, of, 1))
  return { from: first(month - 1), to: first(month) }
}

export interface AuditFilterFormProps {
  readonly filter: AuditFilter
  readonly onChange: (filter: AuditFilter) => void
}

export function AuditFilterForm({ filter, onChange }: AuditFilterFormProps) {
  const [actor, setActor] = useState(filter.actor ?? '')
  const [key, setKey] = useState(filter.key ?? '')
  const [kind, setKind] = useState<string>(filter.kind ?? '')
  const { data: actors } = useQuery(auditActorsQuery({ from: filter.from, to: filter.to }))
  const denied = useDenied('entities:read')
  const { data: keys = [] } = useQuery({
    ...q('listKeys'),
    select: sensitiveKeys,
    enabled: denied === undefined,
  })
  return (
    <LogFilterForm
      filter={filter}
      userLabel={auditText.columns.user}
      userProblem={(user, isChosen) => (isChosen || isUserId(user) ? undefined : logPageText.filter.badUser)}
      presets={[
        [logPageText.filter.lastDay, spanToNow(dayMs)],
        [logPageText.filter.lastWeek, spanToNow(7 * dayMs)],
        [logPageText.filter.last30Days, spanToNow(30 * dayMs)],
        [logPageText.filter.lastMonth, lastMonth],
      ]}
      applyLabel={auditFilterText.apply}
      onApply={(common) =>
        onChange({
          ...common,
          actor: actor.trim() || undefined,
          key: key.trim() || undefined,
          kind: auditKinds.find((each) => each === kind),
        })
      }
      onReset={() => onChange({})}
    >
      <SuggestField
        label={auditText.columns.actor}
        value={actor}
        onChange={setActor}
        placeholder={auditFilterText.actorHint}
        listLabel={auditFilterText.actors}
        options={actors?.actors.map((each) => each.actor) ?? []}
        renderOption={(option) => option}
      />
      <SuggestField
        label={auditFilterText.key}
        value={key}
        onChange={setKey}
        readOnly={denied !== undefined}
        {...(denied !== undefined && { placeholder: denied })}
        listLabel={auditFilterText.keys}
        options={keys}
        renderOption={(option) => (
          <>
            {propertyLabel(undefined, option)} <span className="ds-mono ds-dimmed">{option}</span>
          </>
        )}
      />
      <NativeSelect
        label={auditText.columns.kind}
        value={kind}
        data={[
          { value: '', label: auditFilterText.any },
          ...auditKinds.map((each) => ({ value: each, label: auditText.kinds[each] })),
        ]}
        onChange={({ currentTarget }) => setKind(currentTarget.value)}
      />
    </LogFilterForm>
  )
}

function sensitiveKeys(known: readonly Pick<KnownKey, 'key' | 'sensitive'>[]): readonly string[] {
  return [...new Set(known.flatMap(({ key, sensitive }) => (sensitive === true ? [key] : [])))]
}
