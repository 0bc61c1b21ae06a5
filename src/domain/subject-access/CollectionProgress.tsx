import { Button, Group, Stack } from '@mantine/core'

import { accessText } from '../../messages/index.ts'
import { InlineFailure } from '../failures/InlineFailure.tsx'
import type { Progress } from './collect.ts'
import type { useCollection } from './use-collection.ts'

export interface CollectionProgressProps {
  readonly collection: ReturnType<typeof useCollection>
  /** Restarts the collection with different options. */
  readonly onRestart?: () => void
}

/** Progress of the collection, and the actions to continue if it has stopped. */
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
