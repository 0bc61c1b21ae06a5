import { Group, Text, Title } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

import { QueryFailure } from '../../domain/failures/InlineFailure.tsx'
import { homeText } from '../../messages/index.ts'
import { SkeletonRows } from '../../ui/skeletons/SkeletonRows.tsx'
import classes from './HomePage.module.css'

interface TileProps<Data> {
  readonly title: string
  /** Link to the page with the complete list. */
  readonly all: { readonly to: string; readonly label: string }
  readonly read: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isFetching' | 'refetch'>
  readonly children: (data: Data) => ReactNode
}

/** Tile for one topic that may need attention; loads and fails independently of the others. */
export function Tile<Data>({ title, all, read, children }: TileProps<Data>) {
  const { data, error } = read
  return (
    <section aria-label={title}>
      <Group
        justify="space-between"
        align="baseline"
        wrap="nowrap"
        pb="xs"
        style={{ borderBlockEnd: '1px solid var(--ds-border)' }}
      >
        <Title order={2}>{title}</Title>
        <Text component={Link} to={all.to} fz="sm">
          {all.label}
        </Text>
      </Group>
      {data !== undefined ? (
        children(data)
      ) : error ? (
        <QueryFailure title={homeText.failed({ tile: title })} query={read} />
      ) : (
        <SkeletonRows rows={4} />
      )}
    </section>
  )
}

export function EmptyTile({ children }: { readonly children: ReactNode }) {
  return (
    <Text c="dimmed" fz="sm" px={8} py="xs" maw="56ch">
      {children}
    </Text>
  )
}

export function TileLine({ children, aside }: { readonly children: ReactNode; readonly aside: ReactNode }) {
  return (
    <li className={classes.line}>
      <span className={classes.what}>{children}</span>
      <span className={classes.aside}>{aside}</span>
    </li>
  )
}
