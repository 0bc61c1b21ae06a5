import { parseArgs } from 'node:util'

import { isRole, roles } from '#contract/index.ts'
import { askIssuer, IssuerFault, readIssuerJson } from '../http/auth/issuer-answer.ts'
import { scriptClientId, scriptClientSecret } from './accounts.ts'

const tokenHelp = `Prints a bearer token of the running development sign-in, for curl and scripts.

  npm run --silent token -- --role <role>

  --role   one of: ${roles.join(', ')}
  --help   this text

It asks http://HOST:PORT/oidc (PORT is 8080 and HOST 127.0.0.1 unless set), or OIDC_ISSUER when that is set.
`

class TokenRefusal extends Error {}

async function printToken(args: string[], environment: NodeJS.ProcessEnv): Promise<string> {
  const { role, wantsHelp } = readTokenArguments(args)
  if (wantsHelp) return tokenHelp
  if (!isRole(role)) {
    const given = role === undefined ? 'Name a role' : `There is no role "${role}"`
    throw new TokenRefusal(`${given}: --role ${roles.join(' | ')}`)
  }

  const issuer = environment['OIDC_ISSUER']?.replace(/\/$/, '') || localIssuer(environment)
  const discovery = await requestIssuer(issuer, `${issuer}/.well-known/openid-configuration`)
  const endpoint = discovery?.['token_endpoint']
  if (typeof endpoint !== 'string')
    throw new TokenRefusal(`What answers at ${issuer} is not the sign-in of Data Store.`)
  const reply = await requestIssuer(issuer, endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: scriptClientId(role),
      client_secret: scriptClientSecret,
    }),
  })
  const token = reply?.['access_token']
  if (typeof token !== 'string') {
    throw new TokenRefusal(
      `The sign-in at ${issuer} does not know the development clients. Have your identity provider issue a token.`,
    )
  }
  return `${token}\n`
}

function readTokenArguments(args: string[]): { role?: string | undefined; wantsHelp?: boolean | undefined } {
  try {
    const { values } = parseArgs({
      // npm removes the "--", but a shell that runs this file directly does not.
      args: args.filter((argument) => argument !== '--'),
      options: { role: { type: 'string' }, help: { type: 'boolean' } },
    })
    return { role: values.role, wantsHelp: values.help }
  } catch (error) {
    throw new TokenRefusal(`${error instanceof Error ? error.message : ''}\n\n${tokenHelp}`)
  }
}

function localIssuer(environment: NodeJS.ProcessEnv): string {
  // An empty variable counts as unset, as in the service.
  const host = environment['HOST'] || '127.0.0.1'
  // A server address that means "every interface" is not one that a client can connect to.
  const reachable =
    host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${reachable}:${environment['PORT'] || '8080'}/oidc`
}

/** Requests a URL and returns the JSON object of its answer; undefined if the answer is not one. */
async function requestIssuer(issuer: string, url: string, init: RequestInit = {}) {
  try {
    const response = await askIssuer(url, { ...init, signal: AbortSignal.timeout(5_000) })
    const body = await readIssuerJson(response)
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : undefined
  } catch (error) {
    if (error instanceof IssuerFault) return undefined
    throw new TokenRefusal(`The development sign-in does not answer at ${issuer}. Start it with: npm start`)
  }
}

try {
  process.stdout.write(await printToken(process.argv.slice(2), process.env))
} catch (error) {
  if (!(error instanceof TokenRefusal)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
