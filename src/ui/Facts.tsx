import { DataList, type DataListProps } from '@mantine/core'
import type { ReactNode } from 'react'

export function Facts(props: DataListProps) {
  return <DataList gap={4} {...props} />
}

/** Name or value from the service that the console has no words for, as it was sent. */
export function AsSent({ value }: { readonly value: unknown }) {
  return <span className="ds-mono">{typeof value === 'string' ? value : JSON.stringify(value)}</span>
}

/** Members of an answer that the console does not know. */
export function UnknownFacts({ members }: { readonly members: Readonly<Record<string, unknown>> }) {
  return Object.entries(members).map(([name, value]) => (
    <Fact key={name} name={<AsSent value={name} />}>
      <AsSent value={value} />
    </Fact>
  ))
}

export interface FactProps {
  readonly name: ReactNode
  /** Content shown if there is no value; without it the row is omitted. */
  readonly none?: ReactNode
  /** Whether the list gives the row more room, as for a form. */
  readonly isWide?: boolean
  readonly children: ReactNode
}

export function Fact({ name, none, isWide = false, children }: FactProps) {
  const isNone = children === undefined || children === null || children === '' || children === false
  if (isNone && none === undefined) return null
  return (
    <DataList.Item data-wide={isWide || undefined}>
      <DataList.ItemLabel>{name}</DataList.ItemLabel>
      <DataList.ItemValue miw={0}>
        {isNone ? <span className="ds-dimmed">{none}</span> : children}
      </DataList.ItemValue>
    </DataList.Item>
  )
}
