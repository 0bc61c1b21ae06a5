import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearchParams } from 'react-router'

import { links } from '../../domain/links.ts'
import { usePeople } from '../../domain/people/use-people.ts'
import { auditText as text } from '../../messages/index.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Actors } from './Actors.tsx'
import { AuditActions } from './AuditActions.tsx'
import classes from './AuditPage.module.css'
import { columns, type Row } from './columns.tsx'
import { Conditions } from './Conditions.tsx'
import { askedIn, type AuditAsked, type AuditFilter, everything, filterOf, isFiltered } from './filter.ts'
import { Pages } from './Pages.tsx'
import { auditQuery, hasActors } from './queries.ts'

/** Who read, checked or changed sensitive values of whom. What it is limited to stands in the address. */
export function AuditPage() {
  const [address] = useSearchParams()
  const asked = askedIn(address)
  const filter = filterOf(asked)
  const navigate = useNavigate()
  const { data } = useSuspenseQuery(auditQuery(asked))
  const people = useNames(
    data.rows.flatMap(({ user }) => user ?? []),
    filter.user,
  )
  const show = (next: AuditFilter) => void navigate(links.audit(next), { preventScrollReset: true })
  const rows = data.rows.map((row): Row => ({ ...row, person: people.get(row.user ?? '') }))
  return (
    <>
      <PageHeader
        title={text.title}
        below={text.lead}
        actions={<AuditActions filter={filter} onFilter={show} />}
      />
      <Conditions filter={filter} person={people.get(filter.user ?? '')} onChange={show} />
      {hasActors(filter) && <Actors filter={filter} />}
      <section aria-label={text.list} className={classes.list}>
        <DataTable
          label={text.list}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          empty={<Nothing asked={asked} onClear={() => show(everything)} />}
        />
      </section>
      <Pages asked={asked} rows={rows.length} next={data.next} />
    </>
  )
}

/** Of the users of a page, by one request. Those who are gone, or may not be read, have none. */
function useNames(
  users: readonly string[],
  filtered: string | undefined,
): ReadonlyMap<string, Row['person']> {
  const ids = [...new Set(filtered === undefined ? users : [...users, filtered])]
  return new Map(usePeople(ids).map((person) => [person.id, person]))
}

function Nothing({ asked, onClear }: { readonly asked: AuditAsked; readonly onClear: () => void }) {
  if (asked.after !== undefined)
    return (
      <EmptyState
        title={text.noMore.title}
        action={
          <Button variant="default" component={Link} to={links.audit(filterOf(asked))}>
            {text.noMore.newest}
          </Button>
        }
      >
        {text.noMore.body}
      </EmptyState>
    )
  if (!isFiltered(asked)) return <EmptyState title={text.empty.title}>{text.empty.body}</EmptyState>
  return (
    <EmptyState
      title={text.noMatch.title}
      action={
        <Button variant="default" onClick={onClear}>
          {text.noMatch.clear}
        </Button>
      }
    >
      {text.noMatch.body}
    </EmptyState>
  )
}
