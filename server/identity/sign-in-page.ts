import { createHash } from 'node:crypto'

import { html, type Markup } from '../http/html.ts'
import { accountPassword, accounts } from './accounts.ts'

/** Font file of the console, served next to the pages. */
export const fontFile = 'inter-latin-wght-normal.woff2'

const none: Markup = { markup: '' }

export interface SignInForm {
  /** Path that the form posts to. */
  action: string
  userName: string
  error?: string
}

export function signInPage({ action, userName, error }: SignInForm): string {
  const marks: Markup = { markup: error ? ' aria-invalid="true" aria-describedby="error"' : '' }
  const focus = (wanted: boolean): Markup => ({ markup: wanted ? ' autofocus' : '' })
  return signInMarkup(
    error ? `Error: ${error}` : 'Sign in',
    html`<h1>Sign in</h1>
      ${error ? html`<p class="error" id="error" role="alert">${icons.alert}${error}</p>` : none}
      <form method="post" action="${action}">
        <label for="username">User name</label>
        <input
          id="username"
          name="username"
          value="${userName}"
          required
          maxlength="100"
          autocomplete="username"
          autocapitalize="none"
          autocorrect="off"
          spellcheck="false"
          ${focus(userName === '')}${marks}
        />
        <label for="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          required
          maxlength="100"
          autocomplete="current-password"
          ${focus(userName !== '')}${marks}
        />
        <button class="primary">Sign in</button>
      </form>
      <h2 class="divider"><span>or continue as</span></h2>
      <ul class="accounts">
        ${accounts.map(
          (account) =>
            html`<li>
              <form method="post" action="${action}">
                <input type="hidden" name="username" value="${account.userName}" />
                <input type="hidden" name="password" value="${accountPassword}" />
                <button class="account">
                  <span>
                    <strong>${account.name}</strong>
                    <small>${account.purpose}</small>
                  </span>
                  ${icons.chevron}
                </button>
              </form>
            </li>`,
        )}
      </ul>`,
    html`Sample accounts, for development only. Password: <code>${accountPassword}</code>`,
  )
}

export interface Notice {
  title: string
  text: string
  /** Error code of the protocol, for people who set up a client. */
  code?: string | undefined
  consoleUrl: string
}

export function noticePage({ title, text, code, consoleUrl }: Notice): string {
  return signInMarkup(
    title,
    html`<h1>${title}</h1>
      <p>${text}</p>
      <a class="primary" href="${consoleUrl}">Open Data Store</a>`,
    code === undefined ? none : html`Error code <code>${code}</code>`,
  )
}

/** Script that submits the sign-out form. `requestSubmit` includes the button's own name and value. */
export const signOutScript =
  "document.getElementById('op.logoutForm').requestSubmit(document.getElementById('sign-out'))"

/**
 * Renders the sign-out page; `automatic` submits the form at once.
 * @param form the library's form, which carries its CSRF token.
 */
export function signOutPage(form: string, automatic: boolean, consoleUrl: string): string {
  return signInMarkup(
    'Sign out',
    html`<h1>${automatic ? 'Signing out…' : 'Sign out of Data Store?'}</h1>
      ${automatic ? none : html`<p>Every tab of this browser is signed out.</p>`} ${{ markup: form }}
      <button class="primary" id="sign-out" form="op.logoutForm" name="logout" value="yes">Sign out</button>
      ${automatic ? { markup: `<script>${signOutScript}</script>` } : html`<a class="secondary" href="${consoleUrl}">Stay signed in</a>`}`,
  )
}

/**
 * Returns the content security policy of the pages. `form-action` includes the console, because Chromium applies it to
 * the redirects after a submitted form, and the last of them leads to the console. A page's `script` is allowed by its
 * digest.
 */
export function contentSecurityPolicy(consoleOrigins: readonly string[], script?: string): string {
  return [
    "default-src 'none'",
    // The directive is present even when empty, because the library adds the digest of its own self-submitting form to
    // it.
    script === undefined ? 'script-src' : `script-src '${digestText(script)}'`,
    `style-src '${digestText(css)}'`,
    'img-src data:',
    "font-src 'self'",
    `form-action 'self' ${consoleOrigins.join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function digestText(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

function signInMarkup(title: string, content: Markup, footer: Markup = none): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Data Store</title>
        <link rel="icon" href="data:image/svg+xml,${encodeURIComponent(mark.markup)}" />
        ${style()}
      </head>
      <body>
        <main>
          <header>${mark}<span>Data Store</span><span class="badge">Development</span></header>
          ${content}
        </main>
        ${footer === none ? none : html`<footer>${footer}</footer>`}
      </body>
    </html>`.markup
}

// The style element is one string: the digest covers all white space between the tags.
const style = (): Markup => ({ markup: `<style>${css}</style>` })

const mark: Markup = {
  markup:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">' +
    '<rect width="24" height="24" rx="6" fill="#3e5fdb"/>' +
    '<path d="M6 7.5h12M6 12h12M6 16.5h7" stroke="#fff" stroke-width="2.25" stroke-linecap="round"/></svg>',
}

const icons = {
  alert: {
    markup:
      '<svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.5" ' +
      'stroke-linecap="round" aria-hidden="true"><circle cx="8" cy="8" r="6.25"/><path d="M8 4.75v3.5M8 11v.1"/></svg>',
  },
  chevron: {
    markup:
      '<svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.5" ' +
      'stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="m6 3.5 4.5 4.5L6 12.5"/></svg>',
  },
}

const css = `
@font-face { font-family: 'Inter Variable'; font-weight: 100 900; src: url('../${fontFile}') format('woff2'); }
:root {
  --page: #f7f9fc; --surface: #fff; --text: #191e2a; --quiet: #535968; --line: #e2e5ec; --control: #7e8494;
  --hover: #f2f3f8; --accent: #3e5fdb; --accent-hover: #3450bf; --ring: #3e5fdb;
  --bad: #b32b27; --bad-surface: #fff1f0; --note: #155431; --note-surface: #d9f2e1;
  color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0c0e13; --surface: #171a21; --text: #e7e9ee; --quiet: #a3a9b8; --line: #2a2e39; --control: #6c7384;
    --hover: #222630; --accent: #3e5fdb; --accent-hover: #3450bf; --ring: #7b97f4;
    --bad: #f99f99; --bad-surface: #331b1a; --note: #b4e4c4; --note-surface: #16291e;
  }
}
* { box-sizing: border-box; margin: 0; }
body {
  min-height: 100vh; padding: 32px 16px; background: var(--page); color: var(--text);
  display: flex; flex-direction: column; align-items: center; justify-content: center; gap: 16px;
  font: 14px/20px 'Inter Variable', Inter, ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
  -webkit-font-smoothing: antialiased;
}
main {
  width: 100%; max-width: 400px; padding: 24px 24px 8px; overflow: hidden;
  background: var(--surface); border: 1px solid var(--line); border-radius: 8px;
  box-shadow: 0 1px 2px rgb(0 0 0 / 4%), 0 8px 24px rgb(0 0 0 / 5%);
}
header { display: flex; align-items: center; gap: 10px; margin-bottom: 24px; font-size: 15px; font-weight: 600; letter-spacing: -0.01em; }
.badge {
  margin-left: auto; padding: 0 8px; border-radius: 4px; font-size: 12px; font-weight: 600; letter-spacing: 0;
  color: var(--note); background: var(--note-surface);
}
h1 { margin-bottom: 16px; font-size: 22px; line-height: 28px; font-weight: 650; letter-spacing: -0.02em; }
p { margin-bottom: 20px; color: var(--quiet); overflow-wrap: anywhere; }
.error {
  display: flex; gap: 8px; margin-bottom: 16px; padding: 8px 12px; border-radius: 6px;
  color: var(--bad); background: var(--bad-surface);
}
svg { flex: none; }
.error svg { margin-top: 2px; }
label { display: block; margin-bottom: 4px; color: var(--quiet); font-size: 12px; font-weight: 500; }
input {
  display: block; width: 100%; height: 36px; margin-bottom: 16px; padding: 0 12px; font: inherit;
  color: inherit; background: var(--surface); border: 1px solid var(--control); border-radius: 6px;
}
input[aria-invalid] { border-color: var(--bad); }
button, a { font: inherit; text-decoration: none; cursor: pointer; }
.primary, .secondary {
  display: block; width: 100%; height: 36px; margin-bottom: 16px; padding: 8px 16px; border: 0; border-radius: 6px;
  text-align: center; font-weight: 500; line-height: 20px;
}
.primary { color: #fff; background: var(--accent); }
.primary:hover { background: var(--accent-hover); }
.secondary { margin-top: -8px; color: var(--text); }
.secondary:hover { background: var(--hover); }
:focus-visible { outline: 2px solid var(--ring); outline-offset: 2px; }
input:focus-visible { outline-offset: -1px; }
.divider {
  display: flex; align-items: center; gap: 12px; margin: 8px 0 4px;
  color: var(--quiet); font-size: 12px; font-weight: 400;
}
.divider::before, .divider::after { content: ''; flex: 1; border-top: 1px solid var(--line); }
ul { margin: 0 -16px; padding: 0; list-style: none; }
.account {
  display: flex; align-items: center; justify-content: space-between; width: 100%; padding: 6px 16px;
  color: inherit; background: none; border: 0; border-radius: 6px; text-align: left;
}
.account:hover { background: var(--hover); }
.account:focus-visible { outline-offset: -2px; }
.account strong { display: block; font-weight: 500; }
.account small { display: block; color: var(--quiet); font-size: 13px; line-height: 18px; }
.account svg { color: var(--quiet); }
footer { max-width: 400px; padding: 0 8px; color: var(--quiet); font-size: 12px; line-height: 18px; text-align: center; text-wrap: balance; }
code { font: 12px ui-monospace, 'JetBrains Mono', SFMono-Regular, Menlo, Consolas, monospace; color: var(--text); }
@media (max-width: 440px) {
  body { padding: 16px; justify-content: flex-start; }
}
`
