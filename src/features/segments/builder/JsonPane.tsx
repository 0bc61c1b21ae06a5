import { Box, Stack, Text, UnstyledButton } from '@mantine/core'
import { type ReactNode, useId, useLayoutEffect, useMemo, useRef } from 'react'

import { segmentFormText } from '../../../messages/index.ts'
import { Area } from '../../../domain/values/Field.tsx'
import classes from './FilterField.module.css'
import type { FilterIssue } from '../../../domain/filter-builder/draft/filter-draft.ts'
import { lineOf, positionAt, positionsIn } from './json-positions.ts'

export interface JsonPaneProps {
  readonly json: string
  readonly onChange: (json: string) => void
  /** Why the text is not valid JSON; undefined if it is. */
  readonly unreadable: string | undefined
  readonly stuck: readonly FilterIssue[]
  readonly refused: readonly FilterIssue[]
}

/** Renders the filter as editable JSON. Each problem names its line; pressing it selects the place in the text. */
export function JsonPane({ json, onChange, unreadable, stuck, refused }: JsonPaneProps) {
  const describedBy = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const typed = useRef(json)
  const positions = useMemo(() => positionsIn(json), [json])
  const faults = [...stuck, ...refused]
  const invalid = unreadable !== undefined || faults.length > 0

  // Undo or the builder replaced the text, so the cursor moves to the place where it changed.
  useLayoutEffect(() => {
    const before = typed.current
    typed.current = json
    if (before === json || document.activeElement !== area.current) return
    const end = lastDifference(before, json)
    area.current?.setSelectionRange(end, end)
  }, [json])

  const select = ([from, to]: readonly [number, number]) => {
    area.current?.focus()
    area.current?.setSelectionRange(from, to)
  }
  const line = (position: readonly [number, number]): ReactNode => (
    <UnstyledButton fz="inherit" fw={600} td="underline" onClick={() => select(position)}>
      {segmentFormText.line({ line: String(lineOf(json, position[0])) })}
    </UnstyledButton>
  )
  const { error } = positions
  return (
    <Stack gap={4} className={classes.json ?? ''}>
      <Area
        ref={area}
        label={segmentFormText.jsonLabel}
        value={json}
        onChange={(next) => {
          typed.current = next
          onChange(next)
        }}
        mono
        invalid={invalid}
        describedBy={invalid ? describedBy : undefined}
      />
      <Text component="div" id={describedBy} role="alert" fz="sm" c="var(--mantine-color-error)">
        {unreadable !== undefined && (
          <p>
            {error !== undefined && line([error, Math.min(error + 1, json.length)])} {unreadable}
          </p>
        )}
        {stuck.length > 0 && <p>{segmentFormText.staysJson}</p>}
        {faults.length > 0 && (
          <Box component="ul" mt={4} mb={0} pl={20}>
            {faults.map(({ pointer, detail }) => (
              <li key={`${pointer} ${detail}`}>
                {line(positionAt(positions, pointer))}{' '}
                <span className="ds-mono">{pointer === '' ? segmentFormText.whole : pointer}</span> {detail}
              </li>
            ))}
          </Box>
        )}
      </Text>
    </Stack>
  )
}

/** Returns the offset in `after` at which the longest common suffix of both texts begins. */
function lastDifference(before: string, after: string): number {
  let same = 0
  while (same < Math.min(before.length, after.length) && before.at(-1 - same) === after.at(-1 - same))
    same += 1
  return after.length - same
}
