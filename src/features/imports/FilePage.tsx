import { Button, FileButton, Group, Stack, Textarea } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'

import { useDenied } from '../../auth/use-session.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { links } from '../../domain/links.ts'
import { BackToList } from '../../domain/user-list/BackToList.tsx'
import { Unsaved } from '../../domain/writing/unsaved.tsx'
import { importsText } from '../../messages/index.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SkeletonBar } from '../../ui/skeletons/SkeletonRows.tsx'
import { Steps } from './layout.tsx'
import { chosenFiles, type FileReading, type ImportSource, uploadFile } from './queries.ts'
import classes from './imports.module.css'

const fileText = importsText.file

/** First part of an import: the file. It goes to the service, which reads it; nothing is imported yet. */
export function FilePage() {
  const denied = useDenied('users:read', 'users:write', 'entities:read', 'entities:write')
  return (
    <>
      <PageHeader above={<BackToList />} title={importsText.title} />
      {denied === undefined ? <ChooseFile /> : <EmptyState title={denied} underHeading />}
    </>
  )
}

function ChooseFile() {
  const { upload, isUploading, error, cancel } = useUpload()
  return (
    <>
      <Steps at="file" />
      <Stack component="section" gap={16} maw={640} aria-label={importsText.steps.file}>
        {error && <InlineFailure title={fileText.failed} error={error} />}
        {isUploading ? (
          <>
            <Unsaved question={fileText.leave} staysAt={isOfImport} />
            <output>{fileText.uploading}</output>
            <SkeletonBar width="100%" />
            <Group>
              <Button variant="default" onClick={cancel}>
                {fileText.cancel}
              </Button>
            </Group>
          </>
        ) : (
          <Chooser onSource={(source) => upload(source, {})} />
        )}
      </Stack>
    </>
  )
}

/** Whether a page is that of an import, to which the end of an upload leads. */
const isOfImport = (pathname: string) => pathname.startsWith(`${links.importUsers()}/`)

/** Uploads files, one at a time, and opens the import of each. */
export function useUpload() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { mutate, isPending, error, reset } = useMutation(uploadFile())
  const current = useRef<AbortController>(undefined)
  useEffect(() => () => current.current?.abort(), [])
  const upload = (source: ImportSource, reading: FileReading) => {
    current.current?.abort()
    const controller = new AbortController()
    current.current = controller
    const before = chosenFiles.get(client)
    mutate(
      { source, reading, signal: controller.signal },
      {
        onSuccess: ({ id }) => {
          if (id !== undefined) void navigate(links.importJob(id), { replace: before?.source === source })
        },
      },
    )
  }
  const cancel = () => {
    current.current?.abort()
    reset()
  }
  return { upload, cancel, isUploading: isPending, error: error ?? undefined }
}

const acceptedFiles = '.csv,.tsv,.txt,.xlsx,.ndjson,.jsonl,text/csv,text/plain,text/tab-separated-values'
const workbook = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Returns the file with a type that the service reads; browsers take it from the settings of the machine. */
function sourceOf(file: File): ImportSource {
  const type = file.name.toLowerCase().endsWith('.xlsx') ? workbook : 'text/csv'
  return { name: file.name, body: file.slice(0, file.size, type) }
}

function Chooser({ onSource }: { readonly onSource: (source: ImportSource) => void }) {
  const [isOver, setOver] = useState(false)
  const [pasted, setPasted] = useState('')
  const take = (file: File | null | undefined) => {
    if (file) onSource(sourceOf(file))
  }
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  return (
    <>
      {/* Dropping a file needs a pointer; keyboard users have the button inside the drop area. */}
      <Stack
        align="center"
        ta="center"
        gap="xs"
        px={16}
        py={32}
        className={classes.drop ?? ''}
        data-over={isOver || undefined}
        onDragEnter={over}
        onDragOver={over}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          take(event.dataTransfer.files[0])
        }}
      >
        <IconFileUpload size={28} stroke={1.5} aria-hidden className="ds-dimmed" />
        <p>{fileText.drop}</p>
        <p className="ds-dimmed">{fileText.or}</p>
        <FileButton onChange={take} accept={acceptedFiles}>
          {(button) => (
            <Button {...button} variant="default">
              {fileText.choose}
            </Button>
          )}
        </FileButton>
      </Stack>
      <Stack
        component="form"
        align="flex-start"
        gap="xs"
        onSubmit={(event) => {
          event.preventDefault()
          onSource({ name: undefined, body: new Blob([pasted], { type: 'text/csv' }) })
        }}
      >
        <Textarea
          w="100%"
          label={fileText.paste}
          value={pasted}
          onChange={(event) => setPasted(event.currentTarget.value)}
          rows={4}
          spellCheck={false}
        />
        <Button type="submit" variant="default" disabled={pasted.trim() === ''}>
          {fileText.read}
        </Button>
      </Stack>
    </>
  )
}
