import type { IncomingHttpHeaders } from 'node:http'

import { Refusal } from './problem.ts'

/** ASCII is the same in UTF-8. */
const readable = new Set(['utf-8', 'utf8', 'us-ascii'])

/** Bodies are read as they come and as UTF-8 (RFC 8259): one that says to be something else would be misread. */
export function refusalOfKind(headers: IncomingHttpHeaders): Refusal | undefined {
  const encodings = (headers['content-encoding'] ?? '').split(',').map((name) => name.trim().toLowerCase())
  if (encodings.some((name) => name !== '' && name !== 'identity'))
    return new Refusal(
      'unsupported_media_type',
      'Send the body as it is: one with a Content-Encoding is not decoded here.',
      // RFC 9110, 15.5.16.
      { headers: { 'accept-encoding': 'identity' } },
    )
  if (charsets(headers['content-type'] ?? '').every((name) => readable.has(name))) return undefined
  return new Refusal(
    'unsupported_media_type',
    'Send the body in UTF-8: Content-Type: application/json, without a charset.',
  )
}

function charsets(type: string): string[] {
  // Parameters one after the other: the value of another one may hold these words.
  const parameters = type.matchAll(/;\s*([^\s=;"]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*)/g)
  return [...parameters]
    .filter(([, name]) => name?.toLowerCase() === 'charset')
    .map(([, , value = '']) =>
      value
        .trim()
        .replace(/^(["'])(.*)\1$/, '$2')
        .toLowerCase(),
    )
}
