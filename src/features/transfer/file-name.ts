import type { Segment } from '#contract/index.ts'
import { userExportText } from '../../messages/index.ts'

const longestName = 80

/**
 * The name of an exported file, without its date and ending: that of the segment, in characters that every file system takes.
 * A search is not named, since it may be personal.
 */
export function stemOf(segments: readonly Segment[] | undefined, id: string | undefined): string {
  const name = segments?.find((segment) => segment.id === id)?.name ?? ''
  const plain = name
    .normalize('NFC')
    .replaceAll(/[\p{C}\p{Z}\\/:*?"<>|.-]+/gu, '-')
    .slice(0, longestName)
    .replaceAll(/^-+|-+$/g, '')
    .toWellFormed()
  return plain === '' ? userExportText.fileNames[id ? 'segment' : 'users'] : plain
}
