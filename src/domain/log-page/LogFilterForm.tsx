import { Box, Button, Group, Stack } from '@mantine/core'
import { type FormEvent, type ReactNode, use, useState } from 'react'

import { logPageText } from '../../messages/index.ts'
import { afterSubmit, momentOf, SpanPresets, typedMoment } from '../../ui/moments.tsx'
import type { Zones } from '../../ui/time.ts'
import { ZonesContext } from '../../ui/Timestamp.tsx'
import { UserField } from '../people/UserField.tsx'
import { useExactUser } from '../people/UserSuggest.tsx'
import { MomentInput } from '../values/moment-fields.tsx'
import { type LogSpan, zoneName } from './moments.ts'

const { filter: filterText } = logPageText

export interface LogFilter extends LogSpan {
  readonly user?: string | undefined
}

export interface SpanPreset {
  readonly from: Date
  readonly to?: Date
}

export const spanToNow = (ms: number) => (): SpanPreset => ({ from: new Date(Date.now() - ms) })

export interface LogFilterFormProps {
  readonly filter: LogFilter
  /** Undefined for a log that cannot be filtered by user. */
  readonly userLabel?: string
  /** Returns the error of the user field. `isChosen`: the user was picked from the suggestions, or is in the filter. */
  readonly userProblem?: (user: string, isChosen: boolean) => string | undefined
  readonly above?: ReactNode
  readonly children: ReactNode
  readonly presets: readonly (readonly [name: string, preset: (shown: Zones['shown']) => SpanPreset])[]
  readonly applyLabel: string
  /** Validates this log's own fields and shows their errors. Returns whether all are valid. */
  readonly check?: () => boolean
  readonly onApply: (filter: LogFilter) => void
  readonly onReset: () => void
}

/** Form with all filters of a log. An invalid value stays as typed and shows its error. */
export function LogFilterForm(props: LogFilterFormProps) {
  const { filter, userProblem, check, onApply, onReset } = props
  const { shown } = use(ZonesContext)
  const [draft, setDraft] = useState(() => toLogDraft(filter, shown))
  const [problems, setProblems] = useState<LogProblems>({})
  const change = (part: Partial<LogDraft>) => setDraft((before) => ({ ...before, ...part }))
  const findExact = useExactUser()
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = draft.user.trim()
    const exact = typed === draft.chosen ? undefined : await findExact(typed)
    if (exact !== undefined) change({ user: exact, chosen: exact })
    const user = exact ?? typed
    const next = toLogFilter({ ...draft, user }, shown)
    const problem = user === '' ? undefined : userProblem?.(user, user === (exact ?? draft.chosen))
    const found = { ...spanProblems(draft, next), ...(problem !== undefined && { user: problem }) }
    setProblems(found)
    // This log's own fields are validated even if the shared ones have errors, so that all errors show at once.
    const isValid = check?.() !== false && Object.keys(found).length === 0
    if (isValid) afterSubmit(() => onApply(next))
  }
  const moment = (name: 'from' | 'to') => ({
    name,
    label: filterText[name]({ zone: zoneName(shown) }),
    value: draft[name],
    error: problems[name],
    onChange: (value: string) => change({ [name]: value }),
  })
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="sm">
        {props.above}
        <Box
          style={{
            display: 'grid',
            gridTemplateColumns: 'repeat(auto-fit, minmax(min(190px, 100%), 1fr))',
            gap: '8px 12px',
          }}
        >
          {props.userLabel !== undefined && (
            <UserField
              label={props.userLabel}
              value={draft.user}
              error={problems.user}
              onChange={(user) => change({ user })}
              onChoose={(user) => change({ user, chosen: user })}
            />
          )}
          {props.children}
          <MomentInput {...moment('from')} />
          <MomentInput {...moment('to')} />
        </Box>
        <SpanPresets
          label={filterText.presets}
          presets={props.presets}
          onChoose={(preset) => {
            const { from, to } = preset(shown)
            change({
              from: typedMoment(from.toISOString(), shown),
              to: typedMoment(to?.toISOString(), shown),
            })
          }}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onReset}>
            {filterText.reset}
          </Button>
          <Button type="submit">{props.applyLabel}</Button>
        </Group>
      </Stack>
    </form>
  )
}

type LogProblems = Partial<Record<'user' | 'from' | 'to', string>>

/** Values as typed: an id or a name, which is kept only here, and `chosen`, the id of the last user that was chosen. */
function toLogDraft({ user = '', from, to }: LogFilter, shown: Zones['shown']) {
  return { user, chosen: user, from: typedMoment(from, shown), to: typedMoment(to, shown) }
}
type LogDraft = ReturnType<typeof toLogDraft>

function toLogFilter({ user, from, to }: LogDraft, shown: Zones['shown']): LogFilter {
  return { user: user.trim() || undefined, from: momentOf(from, shown), to: momentOf(to, shown) }
}

function spanProblems(draft: LogDraft, { from, to }: LogFilter): LogProblems {
  const problems: LogProblems = {}
  if (from === undefined && draft.from.trim() !== '') problems.from = filterText.badTime
  if (to === undefined && draft.to.trim() !== '') problems.to = filterText.badTime
  if (from !== undefined && to !== undefined && from >= to) problems.to ??= filterText.badSpan
  return problems
}
