import { createHash } from 'node:crypto'

import type { Endpoint } from '#contract/index.ts'
import { fixedDocument } from './compress.ts'
import { html, type Markup } from './html.ts'
import {
  type Definitions,
  documented,
  exampleOf,
  jsonSchema,
  operation,
  type Operation,
  statusTexts,
} from './openapi.ts'

const styles = `:root{color-scheme:light dark;--line:light-dark(#dee2e6,#373a40);--dim:light-dark(#5c636a,#a6a7ab)}
body{font:14px/1.5 Inter,system-ui,sans-serif;max-width:960px;margin:0 auto;padding:24px 16px 64px;background:light-dark(#fff,#1a1b1e);color:light-dark(#1f2328,#e9ecef)}
h1{font-size:20px}h2{font-size:16px;margin:32px 0 8px}code,pre{font:12px/1.5 "JetBrains Mono",ui-monospace,monospace}
details{border-top:1px solid var(--line)}summary{cursor:pointer;padding:8px 4px;display:flex;gap:12px;align-items:baseline;flex-wrap:wrap}
summary:focus-visible{outline:2px solid light-dark(#4263eb,#748ffc)}.method{font-weight:600;width:56px}.dim{color:var(--dim)}
pre{border:1px solid var(--line);border-radius:4px;padding:12px;overflow-x:auto;margin:4px 0 12px}section{padding:0 4px 8px 72px}
@media(max-width:640px){section{padding-left:4px}}p{margin:4px 0}a{color:light-dark(#3b5bdb,#91a7ff)}`

function apiPageMarkup(): Markup {
  const shared: Definitions = {}
  const byTag = Map.groupBy(Object.entries(documented), ([, endpoint]) => endpoint.tag)
  const sections = [...byTag].map(([tag, list]) => {
    const operations = list.map(([name, endpoint]) =>
      operationMarkup(operation(name, endpoint, shared), endpoint, shared),
    )
    return html`<h2>${tag}</h2>
      ${operations}`
  })
  const schemas = Object.entries(shared)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(
      ([name, schema]) =>
        html`<details>
          <summary><code>${name}</code></summary>
          <section>${preformat(schema)}</section>
        </details>`,
    )
  // The style element is one string: the digest of the styles covers all white space between the tags.
  const style = { markup: `<style>${styles}</style>` }
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Data Store API</title>
        ${style}
      </head>
      <body>
        <main>
          <h1>Data Store API</h1>
          <p class="dim">
            Version 1.5. Send an access token as <code>Authorization: Bearer …</code>. The same for programs:
            <a href="openapi.json">openapi.json</a>.
          </p>
          ${sections}
          <h2>Schemas</h2>
          ${schemas}
        </main>
      </body>
    </html>`
}

function operationMarkup(
  { operationId, parameters, summary, description }: Operation,
  { method, path, body, reply, status }: Endpoint,
  shared: Definitions,
): Markup {
  const shown = parameters
    .filter((parameter) => parameter.in !== 'path')
    .map(
      ({ name, in: place, schema, description = '' }) =>
        html`<p>${place === 'query' ? 'Query' : 'Header'} <code>${name}</code> ${withCode(description)}</p>
          ${preformat(schema)}`,
    )
  const answers = status.map((code) => html`${String(code)} ${withCode(statusTexts[code] ?? '')} `)
  const bodies = [
    ...(body
      ? [
          html`<p>Request body</p>`,
          preformat(jsonSchema(body, 'input', shared)),
          html`<p>Example</p>`,
          preformat(exampleOf(operationId)),
        ]
      : []),
    ...(reply ? [html`<p>Response body</p>`, preformat(jsonSchema(reply, 'output', shared))] : []),
  ]
  return html`<details>
    <summary>
      <code class="method">${method}</code><code>${path}</code><span class="dim">${summary}</span>
    </summary>
    <section>
      <p class="dim">${withCode(description)} Answers ${answers}</p>
      ${shown}${bodies}
    </section>
  </details>`
}

/** Renders text in backquotes (CommonMark, as in the JSON description) as code. */
function withCode(text: string): Markup[] {
  return text.split('`').map((part, at) => (at % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))
}

function preformat(value: unknown): Markup {
  return html`<pre>${JSON.stringify(value, undefined, 2)}</pre>`
}

/** The API description for people: one HTML page without scripts. */
export const apiPage = {
  html: fixedDocument(apiPageMarkup().markup),
  policy: `default-src 'none'; style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
}
