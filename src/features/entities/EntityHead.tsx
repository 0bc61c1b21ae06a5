import { Group, Text } from '@mantine/core'
import { memo, type ReactNode, useId } from 'react'

import { Field } from '../../domain/values/Field.tsx'
import { entityText } from '../../messages/index.ts'
import type { EntityDraft } from './entity-draft.ts'
import { HistoryButton } from './history/use-history.tsx'

export interface EntityHeadProps {
  readonly loaded: EntityDraft['loaded'] | undefined
  readonly type: string
  /** Whether somebody else changed the type too, so that one of the two must be chosen. */
  readonly undecided: boolean
  readonly suggestions: readonly string[]
  readonly issue: string | undefined
  readonly readOnly: boolean
  readonly historyDenied: string | undefined
  readonly onType: (type: string) => void
  readonly onHistory: () => void
  /** Content beside the type. */
  readonly aside: ReactNode
}

/**
 * Input for the entity type: free text with common types as suggestions. Memoised, so that typing in a property row
 * does not render it again.
 */
export const EntityHead = memo(function EntityHead(props: EntityHeadProps) {
  const { loaded, type, undecided, suggestions, issue, readOnly, historyDenied, aside } = props
  const id = useId()
  return (
    <Group gap="4px 16px" pb="sm">
      {readOnly ? (
        <h2>{type}</h2>
      ) : (
        <Group component="label" gap="xs" wrap="nowrap">
          <Text span size="sm" c="dimmed" flex="none">
            {entityText.form.typeLabel}
          </Text>
          <Field
            label={entityText.form.type}
            value={type}
            placeholder={entityText.form.typePlaceholder}
            onChange={props.onType}
            invalid={issue !== undefined}
            describedBy={issue === undefined ? undefined : `${id}-issue`}
            list={`${id}-list`}
            size={24}
          />
          <datalist id={`${id}-list`}>
            {suggestions.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </datalist>
        </Group>
      )}
      {loaded && <HistoryButton denied={historyDenied} onOpen={props.onHistory} />}
      {aside}
      {issue !== undefined ? (
        <Text id={`${id}-issue`} flex="100%" size="xs" c="red">
          {issue}
        </Text>
      ) : (
        !loaded && (
          <Text flex="100%" size="xs" c="dimmed">
            {entityText.form.typeHint}
          </Text>
        )
      )}
      {undecided && (
        <Text flex="100%" size="sm" c="var(--ds-changed)" py="xs">
          {entityText.meanwhile.type({ type: loaded?.type ?? '' })}
        </Text>
      )}
    </Group>
  )
})
