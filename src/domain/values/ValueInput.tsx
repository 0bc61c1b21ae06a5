import { Box, Button, Group, Text } from '@mantine/core'
import { type SyntheticEvent, useId, useRef, useState } from 'react'

import type { ValueIssue } from '#contract/index.ts'
import { valueText } from '../../messages/index.ts'
import { Announced } from '../../ui/AnnouncedPart.tsx'
import { dataTypeName } from './data-type-name.ts'
import { openDraft, partOf } from './draft.ts'
import { Readings } from './Readings.tsx'
import { pasteText, settleDraft } from './settling.ts'
import { renderInputs, type TypedInputsProps } from './TypedInputs.tsx'
import classes from './ValueInput.module.css'

export interface ValueInputProps extends Omit<TypedInputsProps, 'invalid' | 'describedBy'> {
  /** Issues from `valueOf` or from the service, each shown at its part. */
  readonly issues?: readonly ValueIssue[] | undefined
}

const noIssues: readonly ValueIssue[] = []

/** Editor of a value by its data type, working on a draft: it keeps any typed text, and `valueOf` validates it. */
export function ValueInput({ issues = noIssues, ...props }: ValueInputProps) {
  const id = useId()
  const [isOpened, setOpened] = useState(false)
  const { type, draft, label, onChange, readOnly = false } = props
  const settle = useSettling(props)
  if (draft.unfit)
    return (
      <Group gap="4px 8px" mih="var(--ds-control-height)">
        <span className={classes.raw}>{draft.text === '' ? '""' : draft.text}</span>
        {!readOnly && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={valueText.edit({ label })}
            onClick={() => {
              setOpened(true)
              onChange(openDraft(type, draft))
            }}
          >
            {valueText.editText}
          </Button>
        )}
        <Text c="var(--ds-changed)" fz="xs" flex="0 0 100%">
          {valueText.unfit({ type: dataTypeName(type) })}
        </Text>
        <Issues id={id} issues={issues} />
      </Group>
    )
  return (
    <Box miw={0} ref={isOpened ? focusFirst : undefined}>
      <Group
        gap={4}
        onInput={settle.begin}
        onBlur={settle.end}
        onKeyDown={(event) => {
          // Enter settles the text before a form takes the key as a submit.
          if (event.key === 'Enter' && !event.defaultPrevented) settle.end(event)
        }}
        onPaste={(event) => {
          const next = readOnly ? undefined : pasteText(type, draft, event)
          if (!next) return
          event.preventDefault()
          onChange(next)
        }}
      >
        {renderInputs({
          ...props,
          invalid: new Set(issues.map(partOf)),
          describedBy: issues.length > 0 ? id : undefined,
        })}
      </Group>
      <Announced as="div" data-notes>
        <Issues id={id} issues={issues} />
        {issues.length > 0 && !readOnly && (
          <Readings
            type={type}
            draft={draft}
            parts={[...new Set(issues.map(partOf))]}
            label={label}
            onChange={onChange}
          />
        )}
      </Announced>
    </Box>
  )
}

/** Converts typed text to its stored form when the input loses focus, if the text is unambiguous. */
function useSettling({ type, draft, onChange, readOnly = false }: ValueInputProps) {
  const typedIn = useRef<EventTarget>(null)
  return {
    begin: ({ target }: SyntheticEvent) => {
      typedIn.current = target
    },
    end: ({ target }: SyntheticEvent) => {
      if (readOnly || !(target instanceof HTMLInputElement) || typedIn.current !== target) return
      typedIn.current = null
      const next = settleDraft(type, draft, partOf({ path: [target.name] }))
      if (next) onChange(next)
    },
  }
}

/** Moves the focus to the first input, since the button that opened the value for editing has disappeared. */
function focusFirst(inputs: HTMLElement | null) {
  if (document.activeElement === document.body)
    inputs?.querySelector<HTMLElement>('input, textarea, select')?.focus()
}

/** Renders one sentence per part: the schema's first issue is the most useful one. */
function Issues({ id, issues }: { readonly id: string; readonly issues: readonly ValueIssue[] }) {
  if (issues.length === 0) return null
  return (
    <Text id={id} c="var(--mantine-color-error)" fz="xs" pt={4}>
      {[...new Map(issues.toReversed().map((issue) => [partOf(issue), issue.detail])).values()].join(' ')}
    </Text>
  )
}
