import { useEffect, useRef, useState } from 'react'

/** Long work on a page: it tells how far it is, and goes on where it stood when it is begun again. */
export type Run<Progress, Result> = (
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
) => Promise<Result>

export type Work<Progress, Result> = { readonly progress: Progress | undefined } & (
  | { readonly phase: 'idle' | 'running' | 'paused' }
  | { readonly phase: 'failed'; readonly error: unknown }
  | { readonly phase: 'done'; readonly result: Result }
)

/** Progress that comes faster than this is not drawn. */
const drawnEveryMs = 100

/** Runs work for as long as the component is there. */
export function useWork<Progress, Result>() {
  const [work, setWork] = useState<Work<Progress, Result>>({ phase: 'idle', progress: undefined })
  const current = useRef<{ readonly run: Run<Progress, Result>; readonly leave: AbortController }>(undefined)

  useEffect(() => () => current.current?.leave.abort(), [])

  const begin = (run: Run<Progress, Result>) => {
    current.current?.leave.abort()
    const leave = new AbortController()
    const mine = { run, leave }
    current.current = mine
    let drawnMs = 0
    let latest: Progress | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const isCurrent = () => current.current === mine
    const draw = () => {
      drawnMs = performance.now()
      timer = undefined
      if (isCurrent())
        setWork((before) => (before.phase === 'running' ? { ...before, progress: latest } : before))
    }
    const onProgress = (progress: Progress) => {
      latest = progress
      timer ??= setTimeout(draw, Math.max(0, drawnEveryMs - (performance.now() - drawnMs)))
    }
    const end = (next: (progress: Progress | undefined) => Work<Progress, Result>) => {
      clearTimeout(timer)
      if (isCurrent()) setWork(({ progress }) => next(latest ?? progress))
    }
    setWork(({ progress }) => ({ phase: 'running', progress }))
    run(leave.signal, onProgress).then(
      (result) => end((progress) => ({ phase: 'done', progress, result })),
      (error: unknown) =>
        end((progress) =>
          leave.signal.aborted ? { phase: 'paused', progress } : { phase: 'failed', progress, error },
        ),
    )
  }

  return {
    work,
    begin,
    /** What is under way is given up; going on does it again. */
    pause: () => current.current?.leave.abort(),
    goOn: () => {
      if (current.current) begin(current.current.run)
    },
    /** Forgets the work. */
    reset: () => {
      current.current?.leave.abort()
      current.current = undefined
      setWork({ phase: 'idle', progress: undefined })
    },
  }
}
