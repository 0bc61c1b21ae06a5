import { TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'

import { maxReference } from '#contract/index.ts'
import { LogFilterForm, spanToNow } from '../../domain/log-page/LogFilterForm.tsx'
import { deletedText, logPageText } from '../../messages/index.ts'
import { dayMs } from '../../ui/moments.tsx'
import type { DeletedFilter } from './list-state.ts'

const filterText = deletedText.filters

export interface DeletedFilterFormProps {
  readonly filter: DeletedFilter
  readonly onChange: (filter: Omit<DeletedFilter, 'state'>) => void
}

export function DeletedFilterForm({ filter, onChange }: DeletedFilterFormProps) {
  const [sought, setSought] = useState(filter.q ?? '')
  const [problem, setProblem] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  // The service keeps no e-mail of the deleted: only a check tells whether there was one.
  const check = () => {
    const found = sought.includes('@') ? filterText.email : undefined
    flushSync(() => setProblem(found))
    if (found !== undefined) field.current?.focus()
    return found === undefined
  }
  return (
    <LogFilterForm
      filter={filter}
      presets={[
        [logPageText.filter.lastDay, spanToNow(dayMs)],
        [logPageText.filter.lastWeek, spanToNow(7 * dayMs)],
        [logPageText.filter.last30Days, spanToNow(30 * dayMs)],
      ]}
      applyLabel={filterText.apply}
      check={check}
      onApply={({ from, to }) => onChange({ q: sought.trim() || undefined, from, to })}
      onReset={() => onChange({})}
    >
      <TextInput
        ref={field}
        label={filterText.q}
        error={problem}
        dir="auto"
        maxLength={maxReference}
        spellCheck={false}
        value={sought}
        onChange={(event) => setSought(event.currentTarget.value)}
      />
    </LogFilterForm>
  )
}
