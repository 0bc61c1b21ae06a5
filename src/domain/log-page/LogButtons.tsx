import { Button } from '@mantine/core'
import { type Icon, IconDownload, IconFilter } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'

import { logPageText } from '../../messages/index.ts'
import { FormPopover, type FormPopoverProps } from '../../ui/FormPopover.tsx'

const logIcon = { size: 15, stroke: 1.75, 'aria-hidden': true }

export interface LogPopoverProps<Value> extends Pick<FormPopoverProps, 'code' | 'widthPx'> {
  readonly icon: Icon
  readonly label: string
  /** Further properties of the button. */
  readonly face?: Readonly<Record<string, unknown>>
  readonly onChange: (value: Value) => void
  /** Renders the form, given a function that closes the popover and takes the form's value. */
  readonly children: (onChange: (value: Value) => void) => ReactNode
}

/** Button of a log's header that opens a form. */
export function LogPopover<Value>(props: LogPopoverProps<Value>) {
  const { icon: LogIcon, label, face, onChange, children, ...popover } = props
  return (
    <FormPopover
      {...popover}
      face={
        <Button variant="default" leftSection={<LogIcon {...logIcon} />} {...face}>
          {label}
        </Button>
      }
    >
      {(close) =>
        children((value) => {
          close()
          onChange(value)
        })
      }
    </FormPopover>
  )
}

export function FilterButton<Filter>(props: Pick<LogPopoverProps<Filter>, 'code' | 'onChange' | 'children'>) {
  return <LogPopover icon={IconFilter} label={logPageText.filter.button} widthPx={460} {...props} />
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
