import type { PropertyWarning } from '#contract/index.ts'

const mostNamed = 20
/** Maximum length of the header in bytes, so that proxies accept it. */
const mostBytes = 2048
const more = '"more"'

/**
 * Returns the warnings as a structured-fields list (RFC 9651): `"known_sensitive";entity="person";key="phone"`. The
 * list ends with `"more"` if some are left out.
 */
export function propertyWarnings(warnings: readonly PropertyWarning[]): { 'property-warnings'?: string } {
  if (warnings.length === 0) return {}
  const items: string[] = []
  let bytes = 0
  for (const { code, entity, key } of warnings) {
    const item = `${quoteText(code)};entity=${quoteText(entity)};key=${quoteText(key)}`
    // Includes the separator `, ` after the item.
    bytes += item.length + 2
    const isFull = items.length === mostNamed || bytes + more.length > mostBytes
    items.push(isFull ? more : item)
    if (isFull) break
  }
  return { 'property-warnings': items.join(', ') }
}

/** Returns a structured-fields string, or a display string for text that is not ASCII. */
function quoteText(text: string): string {
  if (/^[ -~]*$/.test(text)) return `"${text.replaceAll(/["\\]/g, '\\$&')}"`
  const bytes = Array.from(Buffer.from(text), (byte) =>
    byte < 0x20 || byte > 0x7e || byte === 0x22 || byte === 0x25
      ? `%${byte.toString(16).padStart(2, '0')}`
      : String.fromCharCode(byte),
  )
  return `%"${bytes.join('')}"`
}
