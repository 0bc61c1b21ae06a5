import type { Segment } from '#contract/index.ts'
import { userExportText } from '../../messages/index.ts'

const longestName = 80

/**
 * Returns the name of an exported file without date and extension: the segment's name in characters that every file
 * system accepts. A search is left out, because it may contain personal data.
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
