import { pathToFileURL } from 'node:url'

import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

/**
 * Parts of libraries that this console cannot reach and that no bundler can shake off, since they hang on methods and
 * options: 14 kB (gzip) of the first load. Each of their exports becomes a function that does nothing.
 */
const unreachable: readonly { readonly file: RegExp; readonly names?: readonly string[] }[] = [
  // Schemas that describe themselves as JSON Schema: only the service does that, for OpenAPI.
  { file: /zod\/v4\/core\/(to-json-schema|json-schema-processors)\.js$/ },
  // Styles written by script: the page's policy forbids them (see src/main.tsx and src/ui/tokens.css).
  { file: /@mantine\/core\/esm\/core\/.*\/(MantineCssVariables|MantineClasses|InlineStyles)\.mjs$/ },
  // Queries of endless pages.
  { file: /@tanstack\/query-core\/.*\/infiniteQueryBehavior\.js$/ },
  // Server rendering and tracing of routes.
  { file: /react-router\/.*\/dom\/ssr\/components\.js$/, names: ['PrefetchPageLinks'] },
  { file: /react-router\/.*\/router\/instrumentation\.js$/ },
]

function withoutUnreachable(): Plugin {
  return {
    name: 'without-unreachable',
    apply: 'build',
    transform(code, id) {
      const part = unreachable.find(({ file }) => file.test(id))
      if (!part) return null
      const list = /^export \{([^{}]*)\};?\s*$/m
      const listed =
        list
          .exec(code)?.[1]
          ?.split(',')
          .map((name) => name.trim().replace(/.* as /, '')) ?? []
      const declared = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name ?? '')
      const pruned = part.names ?? [...listed, ...declared]
      const exported = (names: readonly string[], as = '') =>
        `export { ${names.map((name) => as + name).join(', ')} }\n`
      const kept = part.names
        ? code.replace(list, '') + exported(listed.filter((name) => !pruned.includes(name)))
        : ''
      return {
        code: `${kept}\nconst nothing = () => undefined\n${exported(pruned, 'nothing as ')}`,
        map: null,
      }
    },
  }
}

/** Puts what a module exports, which must be plain data, in the place of its code: computed here, not in the browser. */
function evaluated(file: RegExp): Plugin {
  return {
    name: 'evaluated',
    apply: 'build',
    async load(id) {
      if (!file.test(id)) return null
      const values = (await import(pathToFileURL(id).href)) as Record<string, unknown>
      return Object.entries(values)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
        .join('\n')
    },
  }
}

/**
 * Schemas are made by calls, which a bundler must keep; in the contract they have no effect beyond their value. Marked
 * so, a page that needs one constant of a module does not carry its schemas, and with them the schema library.
 */
function withoutUnusedSchemas(): Plugin {
  return {
    name: 'without-unused-schemas',
    apply: 'build',
    enforce: 'post',
    transform(code, id) {
      if (!/\/contract\/[\w-]+\.ts$/.test(id)) return null
      let marked = ''
      let end = 0
      for (const statement of this.parse(code).body) {
        const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
        if (declaration?.type !== 'VariableDeclaration') continue
        for (const { init } of declaration.declarations) {
          if (!init || init.type === 'Literal' || init.type === 'ArrowFunctionExpression') continue
          marked += `${code.slice(end, init.start)}/* @__PURE__ */ (() => (${code.slice(init.start, init.end)}))()`
          end = init.end
        }
      }
      return { code: marked + code.slice(end), map: null }
    },
  }
}

/** `virtual:theme.css`: the theme's variables, which Mantine's provider would else write by script. */
function themeVariables(): Plugin {
  const id = '\0virtual:theme.css'
  return {
    name: 'theme-variables',
    resolveId: (source) => (source === 'virtual:theme.css' ? id : null),
    async load(loaded) {
      if (loaded !== id) return null
      const { themeCss } = await import('./src/ui/theme-css.ts')
      return themeCss()
    },
  }
}

export default defineConfig({
  // Relative addresses: the same build serves from any path, see <base> in index.html.
  base: './',
  plugins: [
    react(),
    themeVariables(),
    evaluated(/\/src\/api\/(webhook-)?operations\.ts$/),
    withoutUnusedSchemas(),
    withoutUnreachable(),
  ],
  build: {
    target: 'baseline-widely-available',
    manifest: true,
    sourcemap: false,
    // Fonts and icons stay files: the page's policy allows no data: fonts, and caches hold them longer.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Catalogues and schemas only define: through a barrel each page takes its own and leaves the rest.
      treeshake: { moduleSideEffects: [{ test: /\/(contract|src\/messages)\//, sideEffects: false }] },
      // What nearly every page uses comes in two files instead of thirty: libraries, and the frame with its pieces.
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              // Of the queries without what the first page has no use for.
              test: /node_modules\/(react|react-dom|scheduler|react-router|oidc-client-ts|jwt-decode|cookie|@tanstack\/(react-query|query-core)(?!.*(Queries|queriesObserver)))\//,
            },
            {
              name: 'frame',
              test: /node_modules\/@tabler|vite\/preload-helper|\/src\/(ui\/\w+\.|api\/|domain\/links|messages\/(format|en\/shell))/,
              minShareCount: 4,
            },
          ],
        },
      },
    },
  },
  test: {
    maxWorkers: 2,
    // For a machine that has other work: nothing waits for less than half a minute, and a test for longer than its waits.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
    projects: [
      {
        extends: true,
        test: { name: 'contract', environment: 'node', include: ['contract/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'server',
          environment: 'node',
          include: ['server/**/*.test.ts'],
          setupFiles: ['server/testing-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'console',
          environment: './src/testing-environment.ts',
          include: ['src/**/*.test.{ts,tsx}'],
          setupFiles: ['server/testing-setup.ts', 'src/testing-setup.ts'],
        },
      },
    ],
  },
})
