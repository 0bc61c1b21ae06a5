import { Button } from '@mantine/core'
import { IconDownload, IconFilter } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'

import { logPageText } from '../../messages/index.ts'
import { FormPopover, type FormPopoverProps } from '../../ui/FormPopover.tsx'

const logIcon = { size: 15, stroke: 1.75, 'aria-hidden': true }

export function FilterButton(props: Pick<FormPopoverProps, 'code' | 'children'>) {
  return (
    <FormPopover
      {...props}
      widthPx={460}
      face={
        <Button variant="default" leftSection={<IconFilter {...logIcon} />}>
          {logPageText.filter.button}
        </Button>
      }
    />
  )
}

export interface ExportButtonProps {
  /** Lazily loaded code of the dialog, prefetched by the button. */
  readonly code: Pick<NonNullable<FormPopoverProps['code']>, 'prefetch'>
  readonly disabled?: boolean
  readonly children: (close: () => void) => ReactNode
}

export function ExportButton({ code, disabled = false, children }: ExportButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDownload {...logIcon} />}
        disabled={disabled}
        onPointerEnter={code.prefetch}
        onFocus={code.prefetch}
        onClick={() => setOpen(true)}
      >
        {logPageText.export.button}
      </Button>
      {isOpen && children(() => setOpen(false))}
    </>
  )
}
