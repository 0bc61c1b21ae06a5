import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { use } from 'react'

import { isUserColumn, type Job } from '#contract/index.ts'
import { api } from '../../api/index.ts'
import { usePerson } from '../../auth/use-session.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { columnLabel } from '../../domain/labels.ts'
import { segmentQuery } from '../../domain/queries/segments.ts'
import { segmentName } from '../../domain/segments/names.ts'
import { saveBlob } from '../../domain/work/sink.ts'
import { jobsText, userText } from '../../messages/index.ts'
import { number } from '../../messages/language/format.ts'
import { Callout } from '../../ui/Callout.tsx'
import { Fact } from '../../ui/Facts.tsx'
import { minuteOf } from '../../ui/time.ts'
import { ZonesContext } from '../../ui/Timestamp.tsx'
import { SegmentLink } from './SegmentLink.tsx'
import type { JobProps, JobView } from './view.ts'

const exportText = jobsText.export

/** View of a job that writes users to a file. */
export const exportView: JobView = {
  text: {
    ...jobsText.other,
    working: exportText.working,
    changeStopped: exportText.stopped,
    changeStoppedBody: exportText.stoppedBody,
    failed: exportText.failed,
    failedBody: exportText.failedBody,
    theirs: { check: exportText.theirs, other: exportText.theirs },
  },
  nameOutcome: (_job, outcome) => (outcome === 'exported' ? exportText.exported : undefined),
  Facts: ExportFacts,
  Report: ExportFile,
}

function ExportFacts({ job: { export: task, segment } }: JobProps) {
  if (!task) return null
  const { columns, rows, sensitive, withheld, shortened } = task
  const forms: Readonly<Record<string, string>> = exportText.sensitiveForms
  return (
    <>
      <Fact name={exportText.users}>{typeof segment === 'string' && <SegmentLink segment={segment} />}</Fact>
      <Fact name={exportText.columns}>
        {columns && <span dir="auto">{columns.map(nameColumn).join(', ')}</span>}
      </Fact>
      <Fact name={exportText.rows}>{number(rows)}</Fact>
      <Fact name={exportText.sensitive}>
        {withheld > 0 ? exportText.withheld({ count: withheld }) : task.entities && forms[sensitive]}
      </Fact>
      <Fact name={exportText.shortened}>{shortened !== undefined && number(shortened)}</Fact>
    </>
  )
}

/** Labels a column: a field of the user, or a property. */
const nameColumn = (name: string) => (isUserColumn(name) ? userText.columns[name] : columnLabel(name))

/** Offers the file of an export once it is complete, until it is gone. */
function ExportFile({ job }: JobProps) {
  const { file, actor } = job
  const isMine = usePerson().subject === actor
  if (!file) return null
  const gone: Readonly<Record<string, string>> = exportText.gone
  return (
    <section aria-label={exportText.file}>
      {file.gone !== undefined ? (
        <Callout title={gone[file.gone] ?? exportText.gone.other} />
      ) : isMine ? (
        <Download job={job} file={file} />
      ) : (
        <Text>{exportText.notMine({ actor })}</Text>
      )}
    </section>
  )
}

const longestName = 80

/**
 * Returns the name of a segment in characters that every file system accepts; empty if nothing is left. A search is never
 * part of a file's name, because it may contain personal data.
 */
const stemOf = (name: string) =>
  name
    .normalize('NFC')
    .replaceAll(/[\p{C}\p{Z}\\/:*?"<>|.-]+/gu, '-')
    .slice(0, longestName)
    .replaceAll(/^-+|-+$/g, '')
    .toWellFormed()

function Download({ job: { id, segment }, file }: JobProps & { readonly file: NonNullable<Job['file']> }) {
  const client = useQueryClient()
  const { shown } = use(ZonesContext)
  const readStem = async () => {
    if (typeof segment !== 'string') return ''
    const read = client.ensureQueryData({ ...segmentQuery(segment), retry: false })
    return await read.then(
      (found) => stemOf(segmentName(found)),
      () => '',
    )
  }
  const { mutate, isPending, error } = useMutation({
    async mutationFn() {
      const [stem, blob] = await Promise.all([readStem(), api.getJobFile({ params: { job_id: id } })])
      saveBlob(stem === '' ? file.name : file.name.replace(/^users/, stem), blob)
    },
  })
  return (
    <Stack gap="sm">
      {error && <InlineFailure title={exportText.notDownloaded} error={error} />}
      <Group gap="sm">
        <Button loading={isPending} onClick={() => mutate()}>
          {exportText.download}
        </Button>
        <Text size="sm" c="dimmed">
          {exportText.until({ time: minuteOf(Date.parse(file.until), shown) })}
        </Text>
      </Group>
    </Stack>
  )
}
