import { Button } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { IconUsers } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'

import { readAnsweredFilter, type Segment } from '#contract/index.ts'
import { offers } from '../../api/index.ts'
import { links } from '../../domain/links.ts'
import { useDenied } from '../../auth/use-session.ts'
import { segmentEditText, segmentText, judgementText } from '../../messages/index.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { sentenceOf } from '../../domain/filters/sentence.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { ShortId } from '../../ui/ShortId.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { showToast } from '../../ui/toast.tsx'
import { usersQuery } from '../../domain/queries/users.ts'
import { BackToSegments } from './BackToSegments.tsx'
import { dependentsOf, hasUnreadable } from './dependents.ts'
import { DeleteSegment } from './DeleteSegment.tsx'
import { FilterTree } from './FilterTree.tsx'
import { Members } from './Members.tsx'
import { nameOf, namesOf } from '../../domain/segments/names.ts'
import { segmentQuery, segmentsQuery } from '../../domain/queries/segments.ts'
import classes from './SegmentPage.module.css'
import { MembershipCheck } from './MembershipCheck.tsx'

/** One segment: whom it holds, in words, as a tree and as the service tells it. */
export function SegmentPage() {
  const { segmentId = '' } = useParams()
  const { data: segment } = useSuspenseQuery(segmentQuery(segmentId))
  const { data: all } = useSuspenseQuery(segmentsQuery())
  const segmentName = namesOf(all)
  const { id, name: _, description, filter, tz, created, updated, ...told } = segment
  // How many there are stands above the users, with when that was.
  const { total: _total, counted: _counted, ...rest } = told
  const others = offers('segments.counts') ? rest : told
  const read = readAnsweredFilter(filter)
  const json = JSON.stringify(filter, null, 2)

  return (
    <>
      <PageHeader
        above={<BackToSegments />}
        title={nameOf(segment)}
        below={description !== null && description !== '' && description}
        actions={<Actions segment={segment} all={all} />}
      />
      <div className={classes.columns}>
        <div className={classes.main}>
          <Part title={segmentText.detail.who}>
            <p className={classes.sentence}>
              {filter === undefined ? segmentText.detail.noFilter : sentenceOf(filter, { tz, segmentName })}
            </p>
          </Part>
          <Part title={judgementText.check.title}>
            <MembershipCheck key={id} segment={segment} />
          </Part>
          {filter !== undefined && (
            <>
              <Part title={segmentText.detail.definition}>
                {read ? (
                  <FilterTree filter={read} context={{ tz, segmentName }} />
                ) : (
                  <p className="ds-dimmed">{segmentText.detail.customTree}</p>
                )}
              </Part>
              <details className={classes.part} open={!read}>
                <summary className={classes.heading}>{segmentText.detail.json}</summary>
                <div className={classes.jsonPart}>
                  {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
                  <pre className={classes.json} tabIndex={0}>
                    {json}
                  </pre>
                  <CopyButton value={json} label={segmentText.detail.copyJson} />
                </div>
              </details>
            </>
          )}
          <Part title={segmentText.detail.members}>
            <Members segmentId={id} />
          </Part>
        </div>
        <dl className={classes.fields}>
          <Field name={segmentText.detail.usedBy}>
            <UsedBy id={id} segments={all} />
          </Field>
          <Field name={segmentText.detail.id}>
            <ShortId id={id} />
          </Field>
          <Field name={segmentText.detail.zone}>{tz ?? 'UTC'}</Field>
          <Field name={segmentText.detail.created}>
            <Timestamp value={created} mode="exact" focusable />
          </Field>
          <Field name={segmentText.detail.updated}>
            <Timestamp value={updated} mode="exact" focusable />
          </Field>
          {Object.entries(others).map(([name, value]) => (
            <Field key={name} name={name} code>
              <span className="ds-mono">{typeof value === 'string' ? value : JSON.stringify(value)}</span>
            </Field>
          ))}
        </dl>
      </div>
    </>
  )
}

interface UsedByProps {
  readonly id: string
  readonly segments: readonly Segment[]
}

function UsedBy({ id, segments }: UsedByProps) {
  const dependents = dependentsOf(id, segments)
  return (
    <>
      {dependents.length === 0 ? (
        segmentText.detail.unused
      ) : (
        <ul className={classes.usedBy}>
          {dependents.map((each) => (
            <li key={each.id}>
              <Link to={links.segment(each.id)}>{nameOf(each)}</Link>
            </li>
          ))}
        </ul>
      )}
      {hasUnreadable(segments) && <p className="ds-dimmed">{segmentText.detail.unreadable}</p>}
    </>
  )
}

interface ActionsProps {
  readonly segment: Segment
  readonly all: readonly Segment[]
}

function Actions({ segment, all }: ActionsProps) {
  const { id } = segment
  const navigate = useNavigate()
  const [deleting, setDeleting] = useState(false)
  const mayNotRead = useDenied('users:read')
  const mayNotWrite = useDenied('segments:write')
  const mayNotStart = mayNotWrite ?? (segment.filter === undefined ? segmentEditText.noFilter : undefined)
  // Refused where the filter looks at sensitive values: then the list of users says why.
  const { data: users } = useQuery({ ...usersQuery({ segment: id }), enabled: mayNotRead === undefined })

  const leave = async () => {
    await navigate(links.segments(), { replace: true })
    showToast({ message: segmentText.remove.deleted(nameOf(segment)) })
  }
  return (
    <>
      <DisabledReason reason={mayNotRead}>
        <Button
          variant="default"
          component={Link}
          to={links.users({ segment: id })}
          leftSection={<IconUsers size={15} stroke={1.75} aria-hidden />}
        >
          {segmentText.detail.users(users?.total ?? undefined)}
        </Button>
      </DisabledReason>
      <DisabledReason reason={mayNotRead}>
        <Button variant="default" component={Link} to={links.exportUsers({ segment: id })}>
          {segmentText.detail.export}
        </Button>
      </DisabledReason>
      <DisabledReason reason={mayNotStart}>
        <Button variant="default" component={Link} to={links.newSegment({ from: id })}>
          {segmentText.detail.duplicate}
        </Button>
      </DisabledReason>
      <DisabledReason reason={mayNotWrite}>
        <Button variant="default" onClick={() => setDeleting(true)}>
          {segmentText.detail.delete}
        </Button>
      </DisabledReason>
      <DisabledReason reason={mayNotStart}>
        <Button component={Link} to={links.editSegment(id)}>
          {segmentText.detail.edit}
        </Button>
      </DisabledReason>
      {deleting && (
        <DeleteSegment
          segment={segment}
          dependents={dependentsOf(id, all)}
          onDeleted={leave}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  )
}

interface PartProps {
  readonly title: string
  readonly children: ReactNode
}

function Part({ title, children }: PartProps) {
  return (
    <section className={classes.part}>
      <h2 className={classes.heading}>{title}</h2>
      {children}
    </section>
  )
}

interface FieldProps {
  readonly name: string
  /** The name is the service's, not ours. */
  readonly code?: boolean
  readonly children: ReactNode
}

function Field({ name, code = false, children }: FieldProps) {
  return (
    <div className={classes.field}>
      <dt className={code ? 'ds-mono' : undefined}>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
