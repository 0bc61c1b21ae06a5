import { formatCount } from '#contract/index.ts'

/** Maximum size of an answer: providers' own discovery documents and keys have some thousand bytes. */
const maxIssuerBytes = 1_000_000
/** Maximum depth of its JSON: what copies or writes it again, as for the console's page, goes down level by level. */
const maxLevels = 100

/** Fault of an issuer or of its answer, as a sentence for the operator. */
export class IssuerFault extends Error {}

/**
 * Requests an address of the issuer. Follows no redirect, as providers need none for what is asked here: it could lead
 * to http, where anybody could answer, or to a machine that only this one reaches.
 *
 * @param init Its signal also ends the reading of the body.
 */
export async function askIssuer(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual' })
  const { status, headers } = response
  if (status < 300 || status > 399) return response
  await discard(response)
  const to = URL.parse(headers.get('location') ?? '', url)
  const place = to ? ` to ${`${to.origin}${to.pathname}`.slice(0, 200)}` : ''
  throw new IssuerFault(`${url} redirects${place} (${status}), and redirects are not followed`)
}

/** Reads the JSON of a 200. Stops as soon as it is longer than `maxBytes`, counted after unpacking. */
export async function readIssuerJson(response: Response, maxBytes = maxIssuerBytes): Promise<unknown> {
  const { status, url } = response
  if (status !== 200) {
    await discard(response)
    throw new IssuerFault(`${url} answers ${status} instead of 200`)
  }
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      // Leaving the loop closes the connection.
      if (bytes > maxBytes) throw new IssuerFault(`${url} answers more than ${formatCount(maxBytes)} bytes`)
      chunks.push(chunk)
    }
    const json: unknown = JSON.parse(new TextDecoder().decode(Buffer.concat(chunks)))
    if (isDeeper(json, maxLevels))
      throw new IssuerFault(`${url} answers JSON of more than ${maxLevels} levels`)
    return json
  } catch (error) {
    if (error instanceof SyntaxError || isUnpacking(error))
      throw new IssuerFault(`${url} does not answer JSON`)
    throw error
  }
}

/** Closes the connection of an answer whose body is not needed, and may be endless. */
export async function discard({ body }: Response): Promise<void> {
  await body?.cancel()
}

export function faultOfIssuer(error: unknown): string {
  if (error instanceof IssuerFault) return error.message
  if (error instanceof Error && error.name === 'TimeoutError') return 'it does not answer in time'
  return error instanceof TypeError ? 'it cannot be reached' : 'its answer cannot be read'
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1))
}

/** Whether the body is not packed as its Content-Encoding says: zlib's errors, or the cause of fetch's own. */
function isUnpacking(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '', cause } = error as { code?: unknown; cause?: unknown }
  return /^(Z_|ERR_BROTLI|ERR__ERROR|ERR_BUFFER)/.test(String(code)) || isUnpacking(cause)
}
