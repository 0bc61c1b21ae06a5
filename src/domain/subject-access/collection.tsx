import { Button, Group, Stack } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { use } from 'react'

import { fileUnder, q, reread } from '../../api/index.ts'
import { usePerson } from '../../auth/use-session.ts'
import { accessText } from '../../messages/index.ts'
import { instantMs } from '../../ui/time.ts'
import { ZonesContext } from '../../ui/Timestamp.tsx'
import { InlineFailure } from '../failures/InlineFailure.tsx'
import { useWork } from '../work/use-work.ts'
import { Collection, type Progress } from './collect.ts'
import type { SubjectAccess } from './document.ts'

/** Collects all data about one person. It lives in this component alone, and is gone once the page is left. */
export function useCollection(userId: string) {
  const { work, begin, pause, goOn, reset } = useWork<Progress, SubjectAccess>()
  const client = useQueryClient()
  const { name } = usePerson()
  const { service } = use(ZonesContext)
  // A page that is left may stay in the browser's back/forward cache.
  useWindowEvent('pagehide', reset)
  return {
    work,
    pause,
    goOn,
    reset,
    /** Starts the collection, with sensitive values if there is a reason. `onDone` gets the complete document. */
    start: (reason?: string, onDone?: (document: SubjectAccess) => void) => {
      const instantOf = (zoneless: string) => instantMs(zoneless, service)
      // Labels come from the same answer, so that a report which has the definitions has the labels too.
      const readDefinitions = () => client.fetchQuery(q('listDefinitions'))
      const { run } = new Collection({ userId, madeBy: name, reason, instantOf, readDefinitions })
      begin(async (...given) => {
        // Even a failed run may have recorded reads, which the user's tabs must show.
        const document = await run(...given).finally(
          () => void reread(client, fileUnder('listEvents', { query: { user: userId } })),
        )
        given[0].throwIfAborted()
        onDone?.(document)
        return document
      })
    },
  }
}

interface CollectionProgressProps {
  readonly collection: ReturnType<typeof useCollection>
  readonly onRestart?: () => void
}

export function CollectionProgress({ collection, onRestart }: CollectionProgressProps) {
  const { work, pause, goOn } = collection
  if (work.phase === 'idle' || work.phase === 'done') return null
  const progress: Progress = work.progress ?? { part: 'user' }
  const { part, done, of } = progress
  const restart = onRestart && (
    <Button variant="default" onClick={onRestart}>
      {accessText.restart}
    </Button>
  )
  return (
    <Stack align="flex-start" gap="xs" maw={560} style={{ fontVariantNumeric: 'tabular-nums' }}>
      {work.phase === 'failed' ? (
        <>
          <InlineFailure
            title={accessText.failed({ part: accessText.parts[part] })}
            error={work.error}
            own={{ kept: accessText.failedBody }}
            onRetry={goOn}
          />
          {restart}
        </>
      ) : (
        <>
          <progress
            style={{ width: 'min(320px, 100%)' }}
            aria-label={accessText.collecting}
            value={done}
            max={of ?? 1}
          />
          <p>{describeProgress(progress)}</p>
          <output className="ds-visually-hidden">{accessText.parts[part]}</output>
          {work.phase === 'running' ? (
            <Button variant="default" onClick={pause}>
              {accessText.stop}
            </Button>
          ) : (
            <>
              <p>{accessText.stopped}</p>
              <Group gap="8px 12px">
                <Button onClick={goOn}>{accessText.goOn}</Button>
                {restart}
              </Group>
            </>
          )}
        </>
      )}
    </Stack>
  )
}

function describeProgress({ part, done, of: total }: Progress): string {
  const name = accessText.parts[part]
  if (done === undefined) return name
  if (total === undefined) return accessText.progress({ part: name, done })
  // Events have a total only if the service cannot filter them by user, so that the whole log is searched.
  if (part === 'events') return accessText.searched({ done, total })
  return accessText.progressOf({ part: name, done, total })
}
