import { Button } from '@mantine/core'

import { offers } from '../../api/index.ts'
import { accessText } from '../../messages/index.ts'
import { InlineFailure } from '../failures/InlineFailure.tsx'
import type { Progress } from './collect.ts'
import classes from './CollectionProgress.module.css'
import type { CollectionState } from './use-collection.ts'

export interface CollectionProgressProps {
  readonly state: CollectionState
  readonly onStop: () => void
  readonly onGoOn: () => void
  /** Begins with other answers to what is asked first. */
  readonly onAnew?: () => void
}

/** How far the collecting is, and what to do where it does not go on by itself. */
export function CollectionProgress({ state, onStop, onGoOn, onAnew }: CollectionProgressProps) {
  if (state.status === 'idle' || state.status === 'done') return null
  const anew = onAnew && (
    <Button variant="default" onClick={onAnew}>
      {accessText.anew}
    </Button>
  )
  if (state.status === 'failed') {
    const { part, error } = state.failure
    return (
      <div className={classes.progress}>
        <InlineFailure
          title={accessText.failed(part)}
          error={error}
          own={{ kept: accessText.failedBody }}
          onRetry={onGoOn}
        />
        {anew}
      </div>
    )
  }
  const { part, done, of } = state.progress
  const running = state.status === 'running'
  return (
    <div className={classes.progress}>
      <progress className={classes.bar} aria-label={accessText.collecting} value={done} max={of ?? 1} />
      <p className={classes.line}>{inWords(state.progress)}</p>
      <output className="ds-visually-hidden">{accessText.parts[part]}</output>
      {running ? (
        <Button variant="default" onClick={onStop}>
          {accessText.stop}
        </Button>
      ) : (
        <>
          <p>{accessText.stopped}</p>
          <div className={classes.line}>
            <Button onClick={onGoOn}>{accessText.goOn}</Button>
            {anew}
          </div>
        </>
      )}
    </div>
  )
}

function inWords({ part, done, of }: Progress): string {
  // Without a filter, it is the whole log that is gone through.
  if (part === 'events' && !offers('events.filter') && done !== undefined && of !== undefined)
    return accessText.searched(done, of)
  return accessText.progress(part, done, of)
}
