/**
 * Returns what a pasted text names: the user's id in an address of the user's page or of the API, in a query or an object in
 * JSON, even if cut, or in quotes and brackets; an e-mail or ref behind its name; the phone number or e-mail in a link
 * (RFC 3966, RFC 6068). Any other text unchanged.
 */
export function readPasted(q: string): string {
  const plain = decode(q)
  for (const named of [userAddress, namedUser, namedId, namedEmail, namedRef]) {
    const [, sought] = named.exec(plain) ?? []
    if (sought !== undefined) return sought
  }
  const ids = new Set([...plain.replace(hyphens, '-').matchAll(loneId)].map(([id]) => id.toLowerCase()))
  if (ids.size === 1) return [...ids].join('')
  for (const pattern of [calledNumber, enclosedEmail, linkedEmail]) {
    const [, sought] = pattern.exec(plain) ?? []
    if (sought !== undefined) return sought
  }
  if (/^\s*[^\s@]+%40[^\s@]+\s*$/.test(q)) return plain
  const [, said] = /^\s*(?:tel|sms|callto|mailto):(?:\/\/)?([^?;]+)/i.exec(q) ?? []
  return said === undefined ? q : decode(said)
}

/** On any host and below any path, with anything behind it; also in the query of a page about the user. */
const userAddress =
  /(?:(?:^|[/#])users?\/{1,2}|[?&#]user=)([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?![\da-f-])/i

/** Returns the pattern of a value behind its name, as in `id=…`, `id: …` and `"id":"…"`. */
const behindName = (names: string, value: string) =>
  new RegExp(`(?<![\\p{L}\\p{N}_-])["']?(?:${names})["']?\\s*[=:]>?\\s*["']?(${value})`, 'iu')

const wholeId = String.raw`[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-f-])`
/** In an event and an entity, the id beside `user` is not the user's. */
const namedUser = behindName('user(?:_?id)?', wholeId)
const namedId = behindName('(?:uu)?id', wholeId)
const namedEmail = behindName('e-?mail', String.raw`[^\s"'@<>]+@[^\s"',;&}@<>]+`)
const namedRef = behindName('ref(?:erence)?', String.raw`[^\s"',;&}]*\d[^\s"',;&}]*`)

/** Alone, or in quotes or brackets: behind a slash or a sign of equality it is the id of something that is named. */
const loneId = new RegExp(`(?<![\\p{L}\\p{N}/=_-])${wholeId}`, 'giu')
/** Hyphens that text programs write for the plain one. */
const hyphens = /[\u2010-\u2013\u2212]/g

/** In links to a telephone or a messenger: `sip:+49…@…`, `https://wa.me/49…`. */
const calledNumber = /(?:^\s*sips?:|wa\.me\/|\bphone=)(\+?\d{7,15})(?!\d)/i
const enclosedEmail = /<([^\s<>@]+@[^\s<>@]+)>/
/** Behind a scheme, or the name of a line of a letter: `mailto:…`, `From: …`. */
const linkedEmail = /(?:^\s*[\p{L}-]+|[[(]mailto):\s*([^\s<>@:]+@[^\s<>@?;,)]+)/iu

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
