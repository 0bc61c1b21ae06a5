import { Group, SegmentedControl, Text } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import { segmentFormText } from '../../../messages/index.ts'
import { DisabledReason } from '../../../ui/DisabledReason.tsx'
import { hint } from '../../../ui/Hint.tsx'
import { splitShortcut } from '../../../ui/keys/shortcut.ts'
import classes from './FilterField.module.css'
import { IconButton } from '../../../ui/IconButton.tsx'

const { label, ...views } = segmentFormText.views
export type FilterView = keyof typeof views
const viewOptions = (Object.keys(views) as FilterView[]).map((value) => ({ value, label: views[value] }))

export interface FilterHeadProps {
  readonly view: FilterView
  readonly onShow: (view: FilterView) => void
  /** Undoes the last step; undefined if there is none. */
  readonly onUndo: (() => void) | undefined
  readonly onRedo: (() => void) | undefined
}

export function FilterHead({ view, onShow, onUndo, onRedo }: FilterHeadProps) {
  return (
    <Group justify="space-between" gap="sm">
      <Text span fw={600}>
        {segmentFormText.filter}
      </Text>
      <Group gap={4} wrap="nowrap" className={classes.steps ?? ''}>
        <StepButton
          label={segmentFormText.undo}
          keys={undoKeys}
          go={onUndo}
          noStep={segmentFormText.noUndo}
          data-undo
        >
          <IconArrowBackUp size={16} stroke={1.75} />
        </StepButton>
        <StepButton label={segmentFormText.redo} keys={redoKeys} go={onRedo} noStep={segmentFormText.noRedo}>
          <IconArrowForwardUp size={16} stroke={1.75} />
        </StepButton>
        <SegmentedControl aria-label={label} data={viewOptions} value={view} onChange={onShow} />
      </Group>
    </Group>
  )
}

const undoKeys = splitShortcut('Mod+Z').join(' ')
const redoKeys = splitShortcut('Mod+Shift+Z').join(' ')

interface StepButtonProps {
  readonly label: string
  readonly keys: string
  readonly go: (() => void) | undefined
  readonly noStep: string
  readonly 'data-undo'?: boolean
  readonly children: ReactNode
}

function StepButton({ label, keys, go, noStep, children, ...rest }: StepButtonProps) {
  const button = (
    <IconButton
      {...rest}
      aria-label={label}
      {...hint(segmentFormText.withKeys({ label, keys }))}
      onClick={go}
    >
      {children}
    </IconButton>
  )
  return <DisabledReason reason={go ? undefined : noStep}>{button}</DisabledReason>
}
