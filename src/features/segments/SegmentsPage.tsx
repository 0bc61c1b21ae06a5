import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { IconChartPie, IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'

import type { Segment } from '#contract/index.ts'
import { links } from '../../app/links.ts'
import { useDenied } from '../../auth/use-session.ts'
import { segments as text } from '../../messages/index.ts'
import { type Column, DataTable, rowLink } from '../../ui/DataTable.tsx'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { hint } from '../../ui/Hint.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { nameOf, namesOf } from './names.ts'
import { segmentsQuery } from './queries.ts'
import classes from './SegmentsPage.module.css'
import { sentenceOf } from './sentence.ts'

interface Row extends Pick<Segment, 'id' | 'description' | 'created' | 'updated'> {
  readonly name: string
  readonly sentence: string
}

export function SegmentsPage() {
  const { data: segments } = useSuspenseQuery(segmentsQuery())
  const segmentName = namesOf(segments)
  const rows = segments.map((segment): Row => {
    const { id, description, created, updated, filter, tz } = segment
    return {
      id,
      description,
      created,
      updated,
      name: nameOf(segment),
      sentence: sentenceOf(filter, { tz, segmentName }),
    }
  })
  return (
    <>
      <PageHeader title={text.title} actions={rows.length > 0 && <NewSegment />} />
      <DataTable
        label={text.title}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            icon={<IconChartPie size={28} stroke={1.5} />}
            title={text.empty.title}
            action={<NewSegment />}
          >
            {text.empty.body}
          </EmptyState>
        }
      />
    </>
  )
}

function NewSegment() {
  return (
    <DisabledReason reason={useDenied('segments:write')}>
      <Button component={Link} to={links.newSegment()} leftSection={<IconPlus size={15} aria-hidden />}>
        {text.newSegment}
      </Button>
    </DisabledReason>
  )
}

function UsersLink({ id, name }: Row) {
  return (
    <DisabledReason reason={useDenied('users:read')}>
      <Link to={links.users({ segment: id })} aria-label={text.showUsersOf(name)}>
        {text.showUsers}
      </Link>
    </DisabledReason>
  )
}

const columns: readonly Column<Row>[] = [
  {
    id: 'name',
    header: text.columns.name,
    width: '28%',
    cell: ({ id, name, description }) => (
      <span className={classes.two}>
        <Link to={links.segment(id)} {...rowLink} className={classes.name ?? ''}>
          {name}
        </Link>
        {description !== null && description !== undefined && description !== '' && (
          <span className={classes.description} {...hint(description)}>
            {description}
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'who',
    header: text.columns.who,
    cell: ({ sentence }) => (
      <span className={classes.sentence} {...hint(sentence)}>
        {sentence}
      </span>
    ),
  },
  {
    id: 'created',
    header: text.columns.created,
    width: '90px',
    narrow: 'labelled',
    cell: ({ created }) => <Timestamp value={created} />,
  },
  {
    id: 'updated',
    header: text.columns.updated,
    width: '90px',
    narrow: 'labelled',
    cell: ({ updated }) => <Timestamp value={updated} />,
  },
  { id: 'users', header: text.columns.users, width: '104px', cell: (row) => <UsersLink {...row} /> },
]
