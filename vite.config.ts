import path from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'

/** `virtual:theme.css`: the theme's variables, which Mantine's provider would else write by script. */
function themeVariables(): Plugin {
  const id = '\0virtual:theme.css'
  return {
    name: 'theme-variables',
    resolveId: (source) => (source === 'virtual:theme.css' ? id : null),
    async load(loaded) {
      if (loaded !== id) return null
      return (await import('./src/ui/theme-css.ts')).themeCss()
    },
  }
}

const jsonSchema = /\/zod\/v4\/core\/(?:to-json-schema|json-schema-processors)\.js$/
const sentences = /\/zod\/v4\/locales\/en\.js$/

/**
 * Leaves out of Zod what no page uses: the makers of JSON schemas, which only the service calls, and Zod's own sentences,
 * in whose place all forms have the product's.
 */
function withoutUnusedZod(): Plugin {
  return {
    name: 'without-unused-zod',
    apply: 'build',
    transform(code, id) {
      if (sentences.test(id)) return 'export default () => ({ localeError: () => undefined })'
      if (!jsonSchema.test(id)) return null
      const names = Array.from(code.matchAll(/^export (?:const|function) (\w+)/gm), ([, name]) => name)
      return [
        'const unused = () => () => { throw new Error("The console makes no JSON schemas.") }',
        `export { ${[...names, 'process'].map((name) => `unused as ${name}`).join(', ')} }`,
      ].join('\n')
    },
  }
}

const [boot, main] = ['src/boot/boot.ts', 'src/main.tsx'] as const

/**
 * The scripts and styles of index.html. It waits for `src/boot/boot.ts` before it is painted, and names the console, which that
 * imports later, so that all files are fetched side by side. The client of the sign-in comes before the console: a page that
 * leaves for the provider loses what it has not loaded completely.
 */
function scripts(): Plugin {
  const injectTo = 'head' as const // behind <base>
  const link = (rel: string, file: string, more = {}) =>
    ({ tag: 'link', attrs: { rel, href: `./${file}`, ...more }, injectTo }) as const
  const waited = { type: 'module', async: true, blocking: 'render' }
  return {
    name: 'scripts',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        if (!bundle) return [{ tag: 'script', attrs: { type: 'module', src: `/${boot}` }, injectTo }]
        const [entry] = withImports(bundle, boot)
        const later = withImports(bundle, main).filter((chunk) => chunk !== entry)
        const [provider] = withImports(bundle, 'src/auth/provider.ts')
        const styles = [entry, ...later].flatMap((each) => Array.from(each.viteMetadata?.importedCss ?? []))
        return [
          { tag: 'script', attrs: { ...waited, src: `./${entry.fileName}` }, injectTo },
          ...[...new Set(styles)].map((file) => link('stylesheet', file)),
          link('modulepreload', provider.fileName, { fetchpriority: 'high' }),
          ...later.map(({ fileName }) => link('modulepreload', fileName, { fetchpriority: 'low' })),
        ]
      },
    },
  }
}

/** The chunk that a module begins, and after it those that it imports statically. */
function withImports(bundle: Rolldown.OutputBundle, module: string) {
  const chunks = Object.values(bundle).filter((each) => each.type === 'chunk')
  const found = new Set(chunks.filter((each) => (each.facadeModuleId ?? '').endsWith(`/${module}`)))
  if (found.size === 0) throw new Error(`There is no file of ${module}.`)
  for (const { imports } of found)
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) found.add(chunk)
  return [...found] as [Rolldown.OutputChunk, ...Rolldown.OutputChunk[]]
}

const ofBoot = new Set([path.resolve(boot)])
const isLibrary = (id: string) => id.includes('node_modules')
/** In which file a module of the first page comes: all that `boot.ts` imports first, the console's own by rooms, upper and lower. */
function fileOf(id: string, context: Rolldown.ChunkingContext): string | null {
  if (id.endsWith('.html')) return null
  for (const each of ofBoot) context.getModuleInfo(each)?.importedIds.forEach((one) => ofBoot.add(one))
  if (ofBoot.has(id)) return 'boot'
  return isLibrary(id) ? 'libraries' : 'main'
}

export default defineConfig({
  base: './', // the same build serves from any path, see <base> in index.html
  plugins: [react(), themeVariables(), withoutUnusedZod(), scripts()],
  build: {
    target: 'baseline-widely-available',
    manifest: true,
    // Fonts and icons stay files: the page's policy allows no data: fonts, and caches hold them longer.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', boot, main],
      // Catalogues and schemas only define: each page takes its own through a barrel.
      treeshake: { moduleSideEffects: [{ test: /\/(contract|src\/messages)\//, sideEffects: false }] },
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { tags: ['$initial'], name: fileOf },
            // Without these a page of a user takes 53 files.
            { name: (id) => (isLibrary(id) ? 'more-libraries' : 'shared'), minShareCount: 9 },
          ],
        },
      },
    },
  },
})
