// Limits on downloads. The files are found in the manifest, since their names contain hashes.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const manifest = JSON.parse(readFileSync('dist/.vite/manifest.json', 'utf8'))

/** Returns the keys of a chunk and of all chunks that it imports statically, directly or not. */
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

const weight = (file) => gzipSync(readFileSync(file)).length
const ownFiles = Object.values(manifest)
  .map(({ file }) => `dist/${file}`)
  .filter((file) => file.endsWith('.js') && !/\/((more-)?libraries|main)-/.test(file))
const largest = ownFiles.reduce((one, other) => (weight(other) > weight(one) ? other : one))

export default [
  // Wide enough to catch only mistakes, such as a dialog in the frame (docs/decisions/0015).
  { name: 'first page, scripts (0.2.0: 219.7 kB)', path: scripts(firstPage), limit: '300 kB', gzip: true },
  // Includes the style sheets of the Mantine components in use (13.5 kB); all of Mantine's would be 41 kB.
  { name: 'first page, styles (0.2.0: 15.5 kB)', path: styles(firstPage), limit: '25 kB', gzip: true },
  { name: 'largest file of a page', path: largest, limit: '40 kB', gzip: true },
  // As if nothing were cached.
  ...routes.map((key) => ({
    name: `${key}, with the first page`,
    path: scripts([...new Set([...firstPage, ...closure(key)])]),
    limit: '410 kB',
    gzip: true,
  })),
]
