import { DataList, type DataListProps } from '@mantine/core'
import type { ReactNode } from 'react'

/** List of facts about one thing, each with its name. */
export function Facts(props: DataListProps) {
  return <DataList gap={4} {...props} />
}

export interface FactProps {
  readonly name: string
  /** Without a value there is no row, unless something stands in its place. */
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
