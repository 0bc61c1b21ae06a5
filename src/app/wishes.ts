/** A shorter rest is only the way to somewhere else. */
const restMs = 90
/** From one to the next, so that going through a list slowly asks for a few a second at the most. */
const pauseMs = 250

/** What is wished for: the same as long as its key is. */
export interface Wish {
  readonly key: string
  readonly fulfil: () => Promise<unknown>
}

/**
 * Fulfils the wish that is held for a moment, one at a time: while one is fulfilled, only the newest of those that come
 * meanwhile waits, and only as long as it is held.
 */
export function createWishes() {
  let held: Wish | undefined
  /** It was fulfilled, or is being so: not once more while it is held. */
  let isTaken = false
  let isBusy = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const wait = () => {
    clearTimeout(timer)
    if (held && !isTaken && !isBusy) timer = setTimeout(() => void fulfil(), restMs)
  }
  const fulfil = async () => {
    isTaken = true
    isBusy = true
    const pause = new Promise((resolve) => setTimeout(resolve, pauseMs))
    await Promise.allSettled([held?.fulfil(), pause])
    isBusy = false
    wait()
  }
  return {
    hold(wish: Wish | undefined) {
      if (wish?.key === held?.key) return
      held = wish
      isTaken = false
      wait()
    },
  }
}
