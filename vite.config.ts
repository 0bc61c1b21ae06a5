/// <reference types="vitest/config" />
import { createHash } from 'node:crypto'

import react from '@vitejs/plugin-react'
import { build, createServer, defineConfig, type Plugin } from 'vite'

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

/**
 * `src/boot/first.ts` as a classic script: modules run after the page has been read, and after its first paint. Under
 * the hash of its content, so that a browser that has it asks nobody.
 */
function firstScript(): Plugin {
  const entry = 'src/boot/first.ts'
  let fileName = ''
  return {
    name: 'first-script',
    apply: 'build',
    async buildStart() {
      const made = await build({
        configFile: false,
        logLevel: 'warn',
        publicDir: false,
        build: { write: false, rolldownOptions: { input: entry, output: { format: 'iife' } } },
      })
      const source = [made].flat().flatMap((each) => ('output' in each ? each.output[0].code : []))[0] ?? ''
      fileName = `assets/first-${createHash('sha256').update(source).digest('base64url').slice(0, 8)}.js`
      this.emitFile({ type: 'asset', fileName, source })
    },
    transformIndexHtml: {
      order: 'pre',
      handler: (html) =>
        html.replace(
          `<script type="module" src="/${entry}">`,
          () => `<script src="./${fileName}" vite-ignore>`,
        ),
    },
  }
}

/**
 * `src/boot/begin.ts` as a file of its own in the built page, where Vite would make one of all scripts: it runs once it is
 * there, before styles and the end of the page, and the rest after the page's first paint. The client of the sign-in comes beside
 * it, before all else: a page that leaves for the provider loses what it has not loaded completely.
 */
function beginning(): Plugin[] {
  const entry = 'src/boot/begin.ts'
  const place = '<!-- begin -->'
  return [
    {
      name: 'beginning',
      apply: 'build',
      config: () => ({ build: { rolldownOptions: { input: ['index.html', entry] } } }),
      transformIndexHtml: {
        order: 'pre',
        handler: (html) => html.replace(`<script type="module" src="/${entry}"></script>`, place),
      },
    },
    {
      name: 'beginning-named',
      apply: 'build',
      transformIndexHtml: {
        order: 'post',
        handler(html, { bundle = {} }) {
          const file = (module: string) => {
            const chunk = Object.values(bundle).find(
              (each) => each.type === 'chunk' && each.facadeModuleId?.endsWith(`/${module}`) === true,
            )
            if (!chunk) throw new Error(`There is no file of ${module}.`)
            return chunk.fileName
          }
          const begin = file(entry)
          const console = /<script type="module" crossorigin src="([^"]+)"><\/script>/
          const [, code] = console.exec(html) ?? []
          if (!code) throw new Error('The page has no script of the console.')
          const first = [
            `<script type="module" async fetchpriority="high" crossorigin src="./${begin}" data-console="${code}"></script>`,
            `<link rel="modulepreload" fetchpriority="high" crossorigin href="./${file('src/auth/provider.ts')}">`,
          ]
          return html
            .replace(console, `<link rel="modulepreload" crossorigin href="${code}">`)
            .replace(`    <link rel="modulepreload" crossorigin href="./${begin}">\n`, '')
            .replaceAll(/(?<=<link rel="modulepreload")(?= crossorigin)/g, ' fetchpriority="low"')
            .replace(place, () => first.join('\n    '))
        },
      },
    },
  ]
}

/**
 * The frame with its skeletons in the page, and `virtual:frame.css` with what it cannot say in HTML: rendered by the
 * components themselves, with the class names that they have in the built page. None of it in development, where
 * scripts bring the styles.
 */
function frame(): Plugin {
  const id = '\0virtual:frame.css'
  let isBuilt = false
  let rendered: Promise<{ html: string; css: string }> | undefined
  return {
    name: 'frame',
    configResolved(config) {
      isBuilt = config.command === 'build'
    },
    resolveId: (source) => (source === 'virtual:frame.css' ? id : null),
    async load(loaded) {
      if (loaded !== id) return null
      return isBuilt ? (await (rendered ??= renderFrame())).css : ''
    },
    async transformIndexHtml(html) {
      if (!isBuilt) return html
      const frame = await (rendered ??= renderFrame())
      return html.replace('<div id="root">', (root) => root + frame.html)
    },
  }
}

async function renderFrame(): Promise<{ html: string; css: string }> {
  const server = await createServer({
    configFile: false,
    appType: 'custom',
    logLevel: 'warn',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  try {
    return (await server.ssrLoadModule('/src/app/frame-html.tsx')).renderFrame()
  } finally {
    await server.close()
  }
}

/**
 * Tests that start the service, or a PostgreSQL, in processes and folders of their own, kill them, fill their disks, upgrade
 * and restore them. They wait more than they compute, and are half of what the service's tests take: several at a time,
 * after all others, and in `npm run check` alone.
 */
const nights = [
  'server/commands/backup*.test.ts',
  'server/erasures/finalising.test.ts',
  'server/commands/load.test.ts',
  'server/replacing.test.ts',
  'server/commands/upgrade-store.test.ts',
  'server/*/kill.test.ts',
  'server/store/{backup,database-gone,disk-full,durability,embedded,folder-trouble,power-cut,programs,takeover,windows}.test.ts',
  'server/store/upgrade/pglite.test.ts',
]

const serviceTests = {
  environment: 'node',
  // One after the other in the same processes: the service is loaded there once, and not a hundred times.
  isolate: false,
  globalSetup: 'server/testing-postgresql.ts',
  setupFiles: ['server/testing-setup.ts'],
}

const consoleTests = {
  environment: './src/testing-environment.ts',
  globalSetup: 'server/testing-postgresql.ts',
  setupFiles: ['server/testing-setup.ts', 'src/testing-setup.ts'],
}

/** Tests of the console that are about what is loaded, or that load it anew: each in a process of its own. */
const alone = [
  'src/app/first-page.test.ts',
  'src/app/sent-twice.test.tsx',
  'src/app/webhooks-mark.test.tsx',
  'src/domain/values/german.test.ts',
  'src/features/entities/two-editors.test.ts',
  'src/messages/format.test.ts',
  'src/ui/duration.test.ts',
]

export default defineConfig({
  // Relative addresses: the same build serves from any path, see <base> in index.html.
  base: './',
  plugins: [react(), themeVariables(), firstScript(), beginning(), frame()],
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
              name: 'begin',
              test: /vite\/preload-helper|\/src\/(boot\/|auth\/(?!provider|sign-in-fault|oidc-session|renewal|start|session|use-session)|api\/(ahead|connection|first-answers|settings))|\/contract\/permissions/,
            },
            {
              name: 'vendor',
              test: /node_modules\/(react|react-dom|scheduler|react-router|cookie|@tanstack\/(react-query|query-core))\//,
            },
            {
              name: 'frame',
              test: /node_modules\/@tabler|\/src\/(ui\/(?!Dialog|OpenedMenu|ConfirmByTyping|FormPopover|moments)\w+\.|api\/|domain\/links|messages\/(format|en\/shell))/,
              minShareCount: 4,
            },
            // The page that most people open first, with what belongs to it, instead of twenty files.
            { name: 'list', test: /\/src\/features\/users-list\/(UsersPage|UserTable)/ },
            { name: 'console', tags: ['$initial'] },
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
        test: { name: 'architecture', environment: 'node', include: ['{docs,bench}/**/*.test.ts'] },
      },
      {
        extends: true,
        test: { name: 'contract', environment: 'node', include: ['contract/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          ...serviceTests,
          name: 'server',
          include: ['server/**/*.test.ts'],
          exclude: nights,
        },
      },
      {
        extends: true,
        test: {
          ...serviceTests,
          name: 'nights',
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          // Enough requests for every operation to be reached; the same each time, so that this fails by no chance.
          env: { FUZZ_COUNT: '20000', FUZZ_SEED: '1' },
          include: [...nights, 'server/fuzzing/fuzzing.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          ...consoleTests,
          name: 'console',
          // One after the other, as those of the service; src/testing-setup.ts gives each file an empty page.
          isolate: false,
          include: ['src/**/*.test.{ts,tsx}'],
          exclude: alone,
        },
      },
      { extends: true, test: { ...consoleTests, name: 'console alone', include: alone } },
    ],
  },
})
