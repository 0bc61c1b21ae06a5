import { JsonNumber } from '#contract/index.ts'

/** Returns a value as exact text: a text unchanged, a number in its own notation, anything else as JSON. */
export function rawText(value: unknown): string {
  if (typeof value === 'string') return value
  return value instanceof JsonNumber ? value.source : (JSON.stringify(value) ?? '')
}

/** Returns the URL if it is safe to follow: http(s) only, not `javascript:` or `data:`. */
export function safeUrl(text: string): string | undefined {
  const url = URL.parse(text.trim())
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined
}
