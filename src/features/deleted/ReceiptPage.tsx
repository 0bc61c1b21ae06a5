import { Box, Button, Text } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'

import { serviceUrl, tellsErased } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { BackLink } from '../../domain/BackLink.tsx'
import { links } from '../../domain/links.ts'
import { type DeletedUser, erasureQuery } from '../../domain/queries/erasures.ts'
import { deletedText, shellText } from '../../messages/index.ts'
import { Callout } from '../../ui/Callout.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Sheet, SheetRow, SheetRows, onScreen } from '../../ui/Sheet.tsx'
import { shortId } from '../../ui/ShortId.tsx'
import { fullMinuteAfter } from '../../ui/time.ts'
import { Timestamp } from '../../ui/Timestamp.tsx'

const receiptText = deletedText.receipt

/** Deletion receipt for the person who asked for the deletion. Contains no personal data about them. */
export function ReceiptPage() {
  const { userId = '' } = useParams()
  const { data: erasure } = useSuspenseQuery(erasureQuery(userId))
  const deniedEvents = useDenied('events:read')
  return (
    <>
      <div className={onScreen}>
        <PageHeader
          above={<BackLink to={links.deletedUsers()}>{shellText.pages.deletedUsers}</BackLink>}
          title={erasure ? shellText.pages.deletionReceipt : receiptText.missing}
          actions={
            erasure && (
              <>
                {deniedEvents === undefined && (
                  <Button variant="default" component={Link} to={links.events({ user: userId })}>
                    {receiptText.events}
                  </Button>
                )}
                <Button leftSection={<IconPrinter size={15} />} onClick={() => window.print()}>
                  {receiptText.print}
                </Button>
              </>
            )
          }
        />
      </div>
      {erasure?.traces && <Traces {...erasure.traces} />}
      {erasure ? (
        <Receipt erasure={erasure} />
      ) : (
        <EmptyState
          underHeading
          title={receiptText.missingBody}
          action={
            <Button variant="default" component={Link} to={links.deletedUsers()}>
              {receiptText.toList}
            </Button>
          }
        />
      )}
    </>
  )
}

/** Links to the segments and jobs that still name the user. Not printed: the receipt is for the person. */
function Traces({ segments, jobs }: NonNullable<DeletedUser['traces']>) {
  return (
    <Box className={onScreen} mb={16}>
      <Callout
        title={receiptText.traces.title}
        actions={
          <>
            {segments.map(({ id, name }) => (
              <Link key={id} to={links.segment(id)} dir="auto">
                {receiptText.traces.segment({ name: name ?? shortId(id) })}
              </Link>
            ))}
            {jobs.map(({ id }) => (
              <Link key={id} to={links.job(id)}>
                {receiptText.traces.job({ id: shortId(id) })}
              </Link>
            ))}
          </>
        }
      >
        {receiptText.traces.body}
      </Callout>
    </Box>
  )
}

function Receipt({ erasure }: { readonly erasure: DeletedUser }) {
  const { user, deleted, actor, reference } = erasure
  const { columns, unknown, noReference } = deletedText
  const [madeMs] = useState(() => Date.now())
  return (
    <Sheet label={receiptText.label}>
      <Text component="h2" size="xl" fw={600} pb={12}>
        {shellText.pages.deletionReceipt}
      </Text>
      <SheetRows>
        <SheetRow name={columns.user}>
          <span className="ds-mono">{user}</span>
        </SheetRow>
        <SheetRow name={columns.deleted}>
          <Timestamp value={deleted} mode="paper" />
        </SheetRow>
        <SheetRow name={columns.actor}>{actor ?? unknown}</SheetRow>
        <SheetRow name={columns.reference}>{reference ?? noReference}</SheetRow>
        <SheetRow name={receiptText.service}>{serviceUrl()}</SheetRow>
        <SheetRow name={receiptText.asOf}>
          <Timestamp value={new Date(madeMs).toISOString()} mode="paper" />
        </SheetRow>
      </SheetRows>
      <Text pt={16}>{tellsErased() ? receiptText.removedButDigests : receiptText.removed}</Text>
      <Text pt={8}>
        <Finality {...erasure} />
      </Text>
    </Sheet>
  )
}

/** Shows whether the deletion is final, in the sense of docs/decisions/0010-erasure.md. */
function Finality({ state, final, due, isByService }: DeletedUser) {
  const minute = (time: string) => <Timestamp value={fullMinuteAfter(time)} mode="paper" />
  if (state !== 'waiting')
    return final === undefined
      ? receiptText.finalUndated
      : receiptText.final.withElements({ minute: minute(final) })
  return isByService && due !== undefined
    ? receiptText.waiting.withElements({ minute: minute(due) })
    : receiptText.operator
}
