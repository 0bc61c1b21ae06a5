import { useCallback, useEffect, useRef, useState } from 'react'

/** Long work that reports its progress, and continues from the last reported progress when it is run again. */
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

const idle = { phase: 'idle', progress: undefined } as const

/** Minimum time between two renders of progress, in milliseconds. */
const drawnEveryMs = 100

/** Runs work while the component is mounted, one piece at a time. */
export function useWork<Progress, Result = void>() {
  const [work, setWork] = useState<Work<Progress, Result>>(idle)
  const current = useRef<{ readonly run: Run<Progress, Result>; readonly leave: AbortController }>(undefined)
  /** Latest reported progress, perhaps not rendered yet; undefined until progress is reported or reset. */
  const latest = useRef<{ readonly progress: Progress | undefined }>(undefined)

  /** Aborts the current work without reporting it. */
  const leave = useCallback(() => {
    current.current?.leave.abort()
    current.current = undefined
    latest.current = undefined
  }, [])
  useEffect(() => leave, [leave])

  const begin = (run: Run<Progress, Result>) => {
    current.current?.leave.abort()
    const started = { run, leave: new AbortController() }
    const { signal } = started.leave
    current.current = started
    let drawnMs = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const isCurrent = () => current.current === started
    const draw = () => {
      drawnMs = performance.now()
      timer = undefined
      const progress = latest.current?.progress
      if (isCurrent()) setWork((before) => (before.phase === 'running' ? { ...before, progress } : before))
    }
    const onProgress = (progress: Progress) => {
      if (!isCurrent()) return
      latest.current = { progress }
      timer ??= setTimeout(draw, Math.max(0, drawnEveryMs - (performance.now() - drawnMs)))
    }
    const end = (next: (progress: Progress | undefined) => Work<Progress, Result>) => {
      clearTimeout(timer)
      const last = latest.current?.progress
      if (isCurrent()) setWork(({ progress }) => next(last ?? progress))
    }
    setWork(({ progress }) => ({ phase: 'running', progress }))
    run(signal, onProgress, latest.current ? latest.current.progress : work.progress).then(
      (result) => end((progress) => ({ phase: 'done', progress, result })),
      (error: unknown) =>
        end((progress) =>
          signal.aborted ? { phase: 'paused', progress } : { phase: 'failed', progress, error },
        ),
    )
  }

  return {
    work,
    /** Continues from the last progress; after `reset`, starts from the beginning. */
    begin,
    /** Aborts the current step, which is repeated when the work resumes. */
    pause: () => current.current?.leave.abort(),
    goOn: () => {
      if (current.current) begin(current.current.run)
    },
    /** Aborts the work and clears its state. */
    reset: () => {
      leave()
      latest.current = { progress: undefined }
      setWork(idle)
    },
  }
}
