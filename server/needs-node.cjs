// Loaded first by the npm scripts that start Node. Must run even on a Node that is too old for the other files.
const [major] = process.versions.node.split('.')
if (Number(major) < 26) {
  process.stderr.write(
    `Node 26 is needed; this is Node ${process.versions.node}. ` +
      'npm install brings Node 26 for Linux (glibc), macOS and Windows, as an optional dependency: run it without ' +
      '--omit=optional. Elsewhere install Node 26 first (https://nodejs.org).\n',
  )
  process.exit(1)
}
