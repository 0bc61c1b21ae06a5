// What the first page downloads, and each route's own chunk: from the manifest, since file names carry hashes.
import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync('dist/.vite/manifest.json', 'utf8'))

/** A chunk with everything that it imports statically. */
function closure(key, seen = new Set()) {
  if (seen.has(key)) return seen
  seen.add(key)
  for (const imported of manifest[key].imports ?? []) closure(imported, seen)
  return seen
}

const firstPage = [...new Set([...closure('src/boot/boot.ts'), ...closure('src/main.tsx')])]
const scripts = (keys) => keys.map((key) => `dist/${manifest[key].file}`)
const styles = (keys) =>
  [...new Set(keys.flatMap((key) => manifest[key].css ?? []))].map((file) => `dist/${file}`)

const routes = Object.keys(manifest).filter((key) => manifest[key].isDynamicEntry && key.endsWith('Page.tsx'))
// Shared with the first page: already there when another route is opened.
const own = (key) => [...closure(key)].filter((each) => !firstPage.includes(each))

export default [
  // For a mistake, such as a chart in the frame: no code is shaped for a kilobyte (docs/decisions/0015).
  { name: 'first page, scripts (0.2.0: 219.7 kB)', path: scripts(firstPage), limit: '300 kB', gzip: true },
  // With the sheets of Mantine's components in use (13.5 kB); all of Mantine's would be 41.
  { name: 'first page, styles (0.2.0: 15.5 kB)', path: styles(firstPage), limit: '25 kB', gzip: true },
  // With the chunks that only some pages share (the forms' schema library and inputs, which the first page does without),
  // as if nothing were cached.
  ...routes
    .filter((key) => own(key).length > 0)
    .map((key) => ({
      name: `${key}, beyond the first page`,
      path: scripts(own(key)),
      limit: '100 kB',
      gzip: true,
    })),
]
