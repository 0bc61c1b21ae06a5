/** Lets the page draw and answer between two bits of long work. */
export function yieldToMain(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
