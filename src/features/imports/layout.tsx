import { Group, Text, type TextProps } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'

import { importsText } from '../../messages/index.ts'
import classes from './imports.module.css'

const steps = ['file', 'columns', 'check'] as const
export type Step = (typeof steps)[number]

/** Parts of an import, of which the current one gets the focus when it replaces another. */
export function Steps({ at }: { readonly at: Step }) {
  const list = useRef<HTMLOListElement>(null)
  const before = useRef(at)
  useEffect(() => {
    if (before.current === at) return
    before.current = at
    list.current?.querySelector<HTMLElement>('[aria-current]')?.focus()
  }, [at])
  const current = steps.indexOf(at)
  return (
    <ol ref={list} aria-label={importsText.stepsLabel} className={classes.steps}>
      {steps.map((step, index) => (
        <li
          key={step}
          data-state={index < current ? 'done' : index === current ? 'now' : undefined}
          {...(index === current && { 'aria-current': 'step', tabIndex: -1 })}
        >
          <span aria-hidden>{index + 1}</span>
          {importsText.steps[step]}
        </li>
      ))}
    </ol>
  )
}

export function Note({ children, ...rest }: TextProps & { readonly children: ReactNode }) {
  return (
    <Text c="dimmed" size="sm" textWrap="pretty" {...rest}>
      {children}
    </Text>
  )
}

/** Buttons at the foot of the window, below long lists of columns or rows. */
export function Buttons({ children }: { readonly children: ReactNode }) {
  return (
    <Group justify="flex-end" gap="xs" className={classes.actions ?? ''}>
      {children}
    </Group>
  )
}
