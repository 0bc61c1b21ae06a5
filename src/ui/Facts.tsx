import { DataList, type DataListProps } from '@mantine/core'
import type { ReactNode } from 'react'

export function Facts(props: DataListProps) {
  return <DataList gap={4} {...props} />
}

export interface FactProps {
  readonly name: ReactNode
  /** Content shown if there is no value; without it the row is omitted. */
  readonly none?: ReactNode
  readonly children: ReactNode
}

export function Fact({ name, none, children }: FactProps) {
  const isNone = children === undefined || children === null || children === '' || children === false
  if (isNone && none === undefined) return null
  return (
    <DataList.Item>
      <DataList.ItemLabel>{name}</DataList.ItemLabel>
      <DataList.ItemValue miw={0}>
        {isNone ? <span className="ds-dimmed">{none}</span> : children}
      </DataList.ItemValue>
    </DataList.Item>
  )
}
