import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

import { entityText } from '../../messages/index.ts'
import { SensitiveMark } from '../values/SensitiveMark.tsx'
import classes from './ComparisonTable.module.css'

const { review } = entityText

/** Table of what a save changes: each property as it is now, and as it will be. */
export function ComparisonTable({ children }: { readonly children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
    <div tabIndex={0} className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{review.key}</th>
            <th scope="col">{review.was}</th>
            <th scope="col">{review.willBe}</th>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

interface ComparisonProps {
  readonly state: 'added' | 'edited' | 'removed'
  readonly isSecret?: boolean
  /** Label of what changes. */
  readonly label: string
  readonly was: ReactNode
  readonly willBe: ReactNode
}

/** One row of the table. */
export function Comparison({ state, isSecret = false, label, was, willBe }: ComparisonProps) {
  return (
    <tr data-state={state} data-sensitive={isSecret || undefined}>
      <th scope="row">
        <MarkedLabel {...{ label, isSecret }} />
        <Text size="xs" c="dimmed">
          {review[state]}
        </Text>
      </th>
      <td>{was}</td>
      <td>{willBe}</td>
    </tr>
  )
}

/** Label of a property, with the mark of a sensitive one. */
export function MarkedLabel({ label, isSecret }: { readonly label: string; readonly isSecret: boolean }) {
  return (
    <>
      <span dir="auto">{label}</span> {isSecret && <SensitiveMark />}
    </>
  )
}
