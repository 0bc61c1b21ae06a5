/** Lets the page draw and answer between two bits of long work. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
