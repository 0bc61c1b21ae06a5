import { Button, Checkbox, SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLoaderData, useParams } from 'react-router'

import { maxReason } from '#contract/index.ts'
import { offers } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { BackLink } from '../../domain/BackLink.tsx'
import { links } from '../../domain/links.ts'
import type { UserLoad } from '../../domain/page-route.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import { userQuery } from '../../domain/queries/users.ts'
import { CollectionProgress, useCollection } from '../../domain/subject-access/collection.tsx'
import { download } from '../../domain/subject-access/document.ts'
import { NoSuchUser } from '../../domain/user-list/NoSuchUser.tsx'
import { accessText, userText } from '../../messages/index.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { onScreen } from '../../ui/Sheet.tsx'
import { AccessLetter } from './AccessLetter.tsx'
import { AccessSheet } from './AccessSheet.tsx'

/** Page that collects all data about one person on demand, to be handed over as a file or on paper. */
export function SubjectAccessPage() {
  const { userId = '' } = useParams()
  const { exists } = useLoaderData<UserLoad>()
  return exists ? <AccessOfUser key={userId} userId={userId} /> : <NoSuchUser />
}

function AccessOfUser({ userId }: { readonly userId: string }) {
  const { user } = useSuspenseQuery(userQuery(userId)).data
  const collection = useCollection(userId)
  const { work, start, reset } = collection
  const [form, setForm] = useState<'sheet' | 'letter'>('sheet')
  const document = work.phase === 'done' ? work.result : undefined
  return (
    <>
      <div className={onScreen}>
        <PageHeader
          above={<BackLink to={links.user(userId)}>{nameOf(user) ?? userText.noName}</BackLink>}
          title={accessText.title}
          actions={
            document && (
              <>
                <Button variant="default" onClick={reset}>
                  {accessText.restart}
                </Button>
                <Button
                  variant="default"
                  leftSection={<IconPrinter size={15} />}
                  onClick={() => window.print()}
                >
                  {accessText.print}
                </Button>
                <Button
                  ref={takeLostFocus}
                  leftSection={<IconDownload size={15} />}
                  onClick={() => void download(document)}
                >
                  {accessText.download}
                </Button>
              </>
            )
          }
        />
        {!document && (
          <Text c="dimmed" maw={720} pb={16}>
            {accessText.intro}
          </Text>
        )}
        {work.phase === 'idle' && <CollectForm onCollect={start} />}
        <CollectionProgress collection={collection} onRestart={reset} />
      </div>
      {document && (
        <>
          <SegmentedControl
            size="xs"
            mb={16}
            className={onScreen ?? ''}
            aria-label={accessText.form}
            data={(['sheet', 'letter'] as const).map((value) => ({ value, label: accessText.forms[value] }))}
            value={form}
            onChange={setForm}
          />
          {form === 'letter' ? <AccessLetter document={document} /> : <AccessSheet document={document} />}
        </>
      )}
    </>
  )
}

/** Moves the focus to the next action when the pressed button has disappeared. */
function takeLostFocus(button: HTMLButtonElement | null) {
  if (document.activeElement === document.body) button?.focus()
}

function CollectForm({ onCollect }: { readonly onCollect: (reason: string | undefined) => void }) {
  const [include, setInclude] = useState(false)
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const denied = useDenied('sensitive:read')
  const given = reason.trim()
  const problem =
    given === '' ? accessText.reasonMissing : given.length > maxReason ? accessText.reasonTooLong : undefined
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (!include) onCollect(undefined)
        else if (problem === undefined) onCollect(given)
      }}
    >
      <Stack gap={16} maw={560}>
        <Checkbox
          label={accessText.include}
          description={denied ?? accessText.includeHint}
          checked={include}
          disabled={denied !== undefined}
          onChange={(event) => setInclude(event.currentTarget.checked)}
        />
        {include && (
          <Textarea
            label={accessText.reason}
            description={
              offers('beginAccess') ? accessText.reasonHintRecorded : accessText.reasonHintUnrecorded
            }
            error={tried && problem}
            rows={2}
            required
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        )}
        <div>
          <Button type="submit">{accessText.collect}</Button>
        </div>
      </Stack>
    </form>
  )
}
