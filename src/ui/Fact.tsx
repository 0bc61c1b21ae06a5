import { DataList } from '@mantine/core'
import type { ReactNode } from 'react'

export interface FactProps {
  readonly name: ReactNode
  readonly children: ReactNode
}

/** Entry of a `DataList`: a name and its value. */
export function Fact({ name, children }: FactProps) {
  return (
    <DataList.Item>
      <DataList.ItemLabel>{name}</DataList.ItemLabel>
      <DataList.ItemValue>{children}</DataList.ItemValue>
    </DataList.Item>
  )
}
