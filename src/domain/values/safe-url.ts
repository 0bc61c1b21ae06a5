/** Returns the URL if it is safe to follow: http(s) only, not `javascript:` or `data:`. */
export function safeUrl(text: string): string | undefined {
  const url = URL.parse(text.trim())
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined
}
