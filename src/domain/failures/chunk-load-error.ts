/**
 * Whether some of the console's code or styles could not be loaded: either an update removed them from the server, or
 * the server is unreachable. Matches the messages of Chrome, Firefox and Safari for a module, and the loader's own
 * message for a stylesheet.
 */
export function isChunkLoadError(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module script failed|unable to preload css/i.test(error.message)
  )
}
