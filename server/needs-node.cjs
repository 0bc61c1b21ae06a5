// Loaded first by the npm scripts that start Node. Must run even on a Node that is too old for the other files.
const [major] = process.versions.node.split('.')
if (Number(major) < 24) {
  process.stderr.write(
    `Node 24 is needed; this is Node ${process.versions.node}. ` +
      'npm install brings Node 24 for Linux (glibc), macOS and Windows, as an optional dependency: run it without ' +
      '--omit=optional. Elsewhere install Node 24 first (https://nodejs.org).\n',
  )
  process.exit(1)
}
