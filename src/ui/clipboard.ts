type CopyListener = (text: string, isSensitive: boolean) => void

let listener: CopyListener | undefined

/** Copies a text. The guard of the clipboard is notified and removes a sensitive one later. */
export async function copyText(text: string, isSensitive = false): Promise<void> {
  await navigator.clipboard.writeText(text)
  listener?.(text, isSensitive)
}

export function watchCopies(next: CopyListener): void {
  listener = next
}
