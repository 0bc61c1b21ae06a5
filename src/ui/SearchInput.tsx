import { type ElementProps, Input, type InputProps } from '@mantine/core'
import { IconSearch, IconX } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useRef } from 'react'

import { IconButton } from './IconButton.tsx'
import { noAutofill } from './keys/no-autofill.ts'

export interface SearchInputProps
  extends
    Pick<InputProps, 'className'>,
    Pick<ElementProps<'input'>, 'enterKeyHint' | 'onFocus' | 'onKeyDown' | 'onPointerEnter' | 'placeholder'> {
  readonly id?: string
  /** Input, for those who move the focus there themselves. */
  readonly box?: RefObject<HTMLInputElement | null>
  readonly 'aria-label': string
  readonly value: string
  readonly onChange: (text: string) => void
  readonly clearLabel: string
  /** Content at the end of the field while it is empty. */
  readonly right?: ReactNode
}

export function SearchInput({ value, onChange, clearLabel, right, ...rest }: SearchInputProps) {
  const own = useRef<HTMLInputElement>(null)
  const { box = own, ...attributes } = rest
  const clear = (
    <IconButton
      size="small"
      aria-label={clearLabel}
      onClick={() => {
        onChange('')
        box.current?.focus()
      }}
    >
      <IconX size={14} stroke={1.75} />
    </IconButton>
  )
  return (
    <Input
      ref={box}
      type="search"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      leftSection={<IconSearch size={15} aria-hidden />}
      rightSection={value === '' ? right : clear}
      rightSectionPointerEvents={value === '' ? 'none' : 'all'}
      // Longest search text that the service accepts.
      maxLength={200}
      {...noAutofill}
      placeholder={attributes['aria-label']}
      {...attributes}
    />
  )
}
