import type { IncomingHttpHeaders } from 'node:http'

import { Refusal } from './errors/problem.ts'

/** Charsets that can be read as UTF-8; ASCII is a subset of it. */
const readable = new Set(['utf-8', 'utf8', 'us-ascii'])

/**
 * Returns the refusal for a body with a content encoding or a charset other than UTF-8. Bodies are read without
 * decoding and as UTF-8 (RFC 8259), so such a body would be misread.
 */
export function refusalOfKind(headers: IncomingHttpHeaders): Refusal | undefined {
  const refusal = refusalOfEncoding(headers)
  if (refusal || charsets(headers['content-type'] ?? '').every((name) => readable.has(name))) return refusal
  return new Refusal(
    'unsupported_media_type',
    'Send the body in UTF-8: Content-Type: application/json, without a charset.',
  )
}

/** Returns the refusal for a body with a content encoding. */
export function refusalOfEncoding(headers: IncomingHttpHeaders): Refusal | undefined {
  const encodings = (headers['content-encoding'] ?? '').split(',').map((name) => name.trim().toLowerCase())
  if (encodings.every((name) => name === '' || name === 'identity')) return undefined
  return new Refusal(
    'unsupported_media_type',
    'Send the body as it is: one with a Content-Encoding is not decoded here.',
    // RFC 9110, 15.5.16, asks for this header.
    { headers: { 'accept-encoding': 'identity' } },
  )
}

function charsets(type: string): string[] {
  // Parses parameters one by one: the quoted value of another parameter may contain `charset=`.
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
