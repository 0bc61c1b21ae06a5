import { tellUnloaded } from './unloaded.ts'

/** Longer than this the console does not wait for a browser that paints nothing. */
const framePaintMs = 500

/**
 * Runs the console's own code, which the built page names but does not run (vite.config.ts), once the frame is on the screen:
 * to evaluate it takes longer than a frame is to be waited for.
 */
export async function readConsole(): Promise<void> {
  const code = document.querySelector<HTMLScriptElement>('script[data-console]')?.dataset['console']
  if (code === undefined) return
  let isLeaving = false
  const leave = () => {
    isLeaving = true
  }
  addEventListener('beforeunload', leave)
  await framePainted()
  try {
    await import(/* @vite-ignore */ new URL(code, document.baseURI).href)
  } catch (error) {
    // A page that is left for the provider, or for another one, drops what it was reading.
    if (isLeaving) return
    tellUnloaded()
    reportError(error)
  } finally {
    removeEventListener('beforeunload', leave)
  }
}

function framePainted(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    // A tab behind another one is not painted.
    setTimeout(resolve, document.hidden ? 0 : framePaintMs)
  })
}
