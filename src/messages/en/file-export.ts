/** Texts about a list that is written into a file. */
export const fileExportText = {
  separator: 'Separator',
  comma: 'Comma',
  semicolon: 'Semicolon',
  start: 'Export',
  download: 'Download again',
  failed: 'The next page could not be read',
  failedBody: 'What is in the file stays. Try again to go on behind it.',
  fileFailed: 'The file could not be written',
  fileFailedBody: 'The disk may be full, or the place may be gone. Nothing was kept: begin again.',
}
