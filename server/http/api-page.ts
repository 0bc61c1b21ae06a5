import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'

import { fixedDocument } from './compress.ts'
import { isKnown } from './headers/etag.ts'
import { html } from './html.ts'

/**
 * The product's faces and colours (src/ui/palettes.ts) for the library's own names of them. Its own red, green, yellow
 * and orange, which methods are written in, are too pale to read. Forced colours leave the fill of letters as it was.
 */
const css = `
@font-face{font-family:Inter;font-weight:100 900;src:url(docs/inter.woff2) format('woff2')}
@font-face{font-family:'JetBrains Mono';font-weight:100 800;src:url(docs/jetbrains-mono.woff2) format('woff2')}
:root{--scalar-font:Inter,system-ui,sans-serif;--scalar-font-code:'JetBrains Mono',ui-monospace,monospace}
.light-mode{--scalar-color-1:#191e2a;--scalar-color-2:#535968;--scalar-color-3:#666d7d;--scalar-color-accent:#3450bf;--scalar-color-red:#b32b27;--scalar-color-green:#19683b;--scalar-color-yellow:#875705;--scalar-color-orange:#704328;--scalar-background-1:#fdfdfe;--scalar-background-2:#f7f9fc;--scalar-background-3:#eaedf2;--scalar-border-color:#d9dde5}
.dark-mode{--scalar-color-1:#e7e9ee;--scalar-color-2:#a3a9b8;--scalar-color-3:#a3a9b8;--scalar-color-accent:#a0b6fa;--scalar-color-red:#f99f99;--scalar-color-green:#84d0a0;--scalar-color-yellow:#f8cb63;--scalar-color-orange:#f0c7b1;--scalar-background-1:#11141a;--scalar-background-2:#171a21;--scalar-background-3:#222630;--scalar-border-color:#2a2e39}
@media (forced-colors:active){*{-webkit-text-fill-color:CanvasText}a,a *{-webkit-text-fill-color:LinkText}}
`

/**
 * Settings of Scalar's API reference. All that would reach another host is off, and a pasted token is kept in memory
 * only. Requests go to the address that the page was opened at, whatever a proxy before the service calls it.
 */
const settings = {
  agent: { disabled: true },
  customCss: css,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  documentDownloadType: 'direct',
  featuredClients: ['shell/curl', 'js/fetch', 'python/requests'],
  hideClientButton: true,
  mcp: { disabled: true },
  metaData: { title: 'Data Store API' },
  operationTitleSource: 'path',
  persistAuth: false,
  showDeveloperTools: 'never',
  telemetry: false,
  url: 'openapi.json',
  withDefaultFonts: false,
}
/** Also tells the library's zod not to try `eval`, which the policy would refuse and report. */
const script = `globalThis.__zod_globalConfig={jitless:true};addEventListener('DOMContentLoaded',()=>Scalar.createApiReference('#app',{...${JSON.stringify(settings)},servers:[{url:new URL('.',location.href).href.slice(0,-1)}]}))`

const page = fixedDocument(
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Data Store API</title>
      </head>
      <body>
        <div id="app"></div>
        ${{ markup: `<script>${script}</script>` }}
        <script src="docs/reference.js"></script>
      </body>
    </html>`.markup,
)

const policy = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

interface ServedFile {
  readonly content: Buffer
  readonly type: string
  readonly etag: string
}

const serve = (content: Buffer, type: string): ServedFile => ({
  content: fixedDocument(content),
  type,
  etag: `"${createHash('sha256').update(content).digest('base64url')}"`,
})

/**
 * Reads the library's script. Its package keeps the script (5 MB) within a Fastify plugin, and has far fewer
 * dependencies than the package of its sources.
 */
async function readReference(): Promise<ServedFile> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const app = Fastify()
  await app.register(scalar, { routePrefix: '/docs', configuration: { url: settings.url } })
  const { rawPayload, statusCode } = await app.inject('/docs/js/scalar.js')
  await app.close()
  if (statusCode !== 200) throw new Error('The package of the API reference serves no script.')
  return serve(rawPayload, 'text/javascript;charset=UTF-8')
}

const readFont = (file: string) => async () =>
  serve(await readFile(fileURLToPath(import.meta.resolve(`@fontsource-variable/${file}`))), 'font/woff2')

const readers = {
  'reference.js': readReference,
  'inter.woff2': readFont('inter/files/inter-latin-wght-normal.woff2'),
  'jetbrains-mono.woff2': readFont('jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2'),
}

/** Paths of the page and its files. */
export const apiPagePaths = ['/docs', ...Object.keys(readers).map((name) => `/docs/${name}`)]

/** Serves the API description for people. Its files are read when the first reader asks for them. */
export function serveApiPage(app: FastifyInstance): void {
  app.get('/docs', (_request, reply) =>
    reply
      .headers({ 'content-type': 'text/html;charset=UTF-8', 'content-security-policy': policy })
      .send(page),
  )
  for (const [name, read] of Object.entries(readers)) {
    let file: Promise<ServedFile> | undefined
    app.get(`/docs/${name}`, async (request, reply) => sendFile(request, reply, await (file ??= read())))
  }
}

function sendFile(request: FastifyRequest, reply: FastifyReply, { content, type, etag }: ServedFile) {
  for (const header of ['pragma', 'expires']) reply.removeHeader(header)
  reply.headers({ 'cache-control': 'no-cache', etag })
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.header('content-type', type).send(content)
}
