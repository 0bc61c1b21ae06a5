import { Group, Text, Title } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { isValidElement, type ReactElement, type ReactNode } from 'react'
import { Link } from 'react-router'

import { QueryPart } from '../../domain/failures/InlineFailure.tsx'
import { homeText } from '../../messages/index.ts'
import { SkeletonRows } from '../../ui/skeletons/SkeletonRows.tsx'
import classes from './HomePage.module.css'

interface TileProps<Data> {
  /** `all`: label of the link to the page with the complete list. `none`: text in place of an empty list. */
  readonly text: { readonly title: string; readonly all: string; readonly none: string }
  readonly to: string
  readonly read: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isFetching' | 'refetch'>
  /** Returns the lines of the tile's list, or a table in place of the list. */
  readonly children: (data: Data) => readonly ReactElement[] | ReactElement
}

/** Tile for one topic that may need attention; loads and fails independently of the others. */
export function Tile<Data>({ text, to, read, children }: TileProps<Data>) {
  const { title, all, none } = text
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
        <Text component={Link} to={to} fz="sm">
          {all}
        </Text>
      </Group>
      <QueryPart query={read} title={homeText.failed({ tile: title })} skeleton={<SkeletonRows rows={4} />}>
        {(data) => renderContent(children(data), none)}
      </QueryPart>
    </section>
  )
}

function renderContent(content: readonly ReactElement[] | ReactElement, none: string) {
  if (isValidElement(content)) return content
  if (content.length > 0) return <ul className={classes.list}>{content}</ul>
  return (
    <Text c="dimmed" fz="sm" px={8} py="xs" maw="56ch">
      {none}
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
