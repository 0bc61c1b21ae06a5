import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'

/** Long work: it tells how far it is, and begun again it goes on from what it told last. */
export type Run<Progress, Result> = (
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
  from: Progress | undefined,
) => Promise<Result>

export type Work<Progress, Result> = { readonly progress: Progress | undefined } & (
  | { readonly phase: 'idle' | 'running' | 'paused' }
  | { readonly phase: 'failed'; readonly error: unknown }
  | { readonly phase: 'done'; readonly result: Result }
)

export const idle = { phase: 'idle', progress: undefined } as const

/** State of work that is kept outside the component, so that it outlives it. */
export type KeptWork<Progress, Result> = readonly [
  work: Work<Progress, Result>,
  set: (change: (before: Work<Progress, Result>) => Work<Progress, Result>) => void,
]

/** Progress that comes faster than this is not drawn. */
const drawnEveryMs = 100

/** Runs work, one at a time, for as long as the component is there. */
export function useWork<Progress, Result = void>(kept?: KeptWork<Progress, Result>) {
  const own = useState<Work<Progress, Result>>(idle)
  const [work, setWork] = kept ?? own
  const current = useRef<{ readonly run: Run<Progress, Result>; readonly leave: AbortController }>(undefined)
  /** Newer than what is drawn; absent: what is kept is the newest. */
  const told = useRef<{ readonly progress: Progress | undefined }>(undefined)

  /** Gives up what is under way, and says nothing of it. */
  const leave = useCallback(() => {
    current.current?.leave.abort()
    current.current = undefined
    told.current = undefined
  }, [])
  useEffect(() => leave, [leave])

  const begin = (run: Run<Progress, Result>) => {
    current.current?.leave.abort()
    const mine = { run, leave: new AbortController() }
    const { signal } = mine.leave
    current.current = mine
    let drawnMs = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const isCurrent = () => current.current === mine
    const draw = () => {
      drawnMs = performance.now()
      timer = undefined
      const progress = told.current?.progress
      if (isCurrent()) setWork((before) => (before.phase === 'running' ? { ...before, progress } : before))
    }
    const onProgress = (progress: Progress) => {
      if (!isCurrent()) return
      told.current = { progress }
      timer ??= setTimeout(draw, Math.max(0, drawnEveryMs - (performance.now() - drawnMs)))
    }
    const end = (next: (progress: Progress | undefined) => Work<Progress, Result>) => {
      clearTimeout(timer)
      const latest = told.current?.progress
      if (isCurrent()) setWork(({ progress }) => next(latest ?? progress))
    }
    setWork(({ progress }) => ({ phase: 'running', progress }))
    run(signal, onProgress, told.current ? told.current.progress : work.progress).then(
      (result) => end((progress) => ({ phase: 'done', progress, result })),
      (error: unknown) =>
        end((progress) =>
          signal.aborted ? { phase: 'paused', progress } : { phase: 'failed', progress, error },
        ),
    )
  }

  return {
    work,
    /** From where it stands; after `reset` from the beginning. */
    begin,
    /** Aborts the step under way, which is repeated on resuming. */
    pause: () => current.current?.leave.abort(),
    goOn: () => {
      if (current.current) begin(current.current.run)
    },
    /** Forgets the work. */
    reset: () => {
      leave()
      told.current = { progress: undefined }
      setWork(() => idle)
    },
    leave,
  }
}

/** Work that begins with the component; `run` stays the same for as long as the component is there. */
export function useBegunWork<Progress, Result = void>(run: Run<Progress, Result>) {
  const engine = useWork<Progress, Result>()
  const begin = useEffectEvent(engine.begin)
  useEffect(() => begin(run), [run])
  return engine
}
