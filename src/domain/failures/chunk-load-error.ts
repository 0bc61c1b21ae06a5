/**
 * Whether code or styles of the console could not be loaded: the three browsers' words for a module, and the loader's own for
 * a style. They are gone from the server, as after an update, or the server cannot be reached.
 */
export function isChunkLoadError(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module script failed|unable to preload css/i.test(error.message)
  )
}
