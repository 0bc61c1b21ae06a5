// Writes a react-admin app with a users list and a user page into a folder outside the project, installs its packages
// and builds it.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

// The react-admin app shows the same columns as the console and 50 rows per page. As in react-admin's guide, the user
// page requests the entities only once it has the user. The token is in a `meta` tag of the page.
const sources: Record<string, string> = {
  'package.json': JSON.stringify({ name: 'peer', private: true, type: 'module' }),
  'vite.config.js': `
import react from '@vitejs/plugin-react'
export default { plugins: [react()], build: { target: 'baseline-widely-available', assetsInlineLimit: 0 } }`,
  'index.html': `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><meta name="viewport" content="width=device-width" /><title>Users</title></head>
  <body><div id="root"></div><script type="module" src="/main.jsx"></script></body>
</html>`,
  'main.jsx': `
import { createRoot } from 'react-dom/client'
import {
  Admin, ArrayField, BooleanField, Datagrid, DateField, EmailField, List, Pagination, ReferenceManyField, Resource, Show,
  SimpleShowLayout, TextField,
} from 'react-admin'

const token = document.querySelector('meta[name=token]').content
const ask = async (path) => (await fetch('/api/' + path, { headers: { authorization: 'Bearer ' + token } })).json()

const offsets = ['']
const dataProvider = {
  async getList(_resource, { pagination: { page } }) {
    const { users, total, next } = await ask('users?offset=' + encodeURIComponent(offsets[page - 1]))
    offsets[page] = next
    return { data: users, total }
  },
  getOne: async (_resource, { id }) => ({ data: await ask('users/' + id) }),
  async getManyReference(_resource, { id }) {
    const data = await ask('users/' + id + '/entities?sensitive=masked')
    return { data, total: data.length }
  },
}

const fields = [
  <TextField source="name" />,
  <EmailField source="email" />,
  <TextField source="ref" />,
  <DateField source="since" />,
  <DateField source="created" />,
  <BooleanField source="account" />,
]

const Users = () => (
  <List perPage={50} pagination={<Pagination rowsPerPageOptions={[50]} />} exporter={false}>
    <Datagrid bulkActionButtons={false} rowClick="show">{...fields}</Datagrid>
  </List>
)

const User = () => (
  <Show>
    <SimpleShowLayout>
      {...fields}
      <ReferenceManyField reference="entities" target="user">
        <Datagrid bulkActionButtons={false} rowClick={false}>
          <TextField source="type" />
          <DateField source="created" />
          <ArrayField source="properties">
            <Datagrid bulkActionButtons={false} rowClick={false} header={<></>}>
              <TextField source="key" />
              <TextField source="value" />
            </Datagrid>
          </ArrayField>
        </Datagrid>
      </ReferenceManyField>
    </SimpleShowLayout>
  </Show>
)

createRoot(document.getElementById('root')).render(
  <Admin dataProvider={dataProvider} disableTelemetry>
    <Resource name="users" list={Users} show={User} />
    <Resource name="entities" />
  </Admin>,
)`,
}

/**
 * Builds the app into `dist` of the folder, with the latest packages from the registry. Returns the version of
 * react-admin.
 */
export function buildReactAdmin(folder: string): string {
  for (const [name, text] of Object.entries(sources)) writeFileSync(path.join(folder, name), text)
  const packages = ['react-admin', 'react', 'react-dom', 'vite', '@vitejs/plugin-react']
  run(folder, 'npm', ['install', '--no-audit', '--no-fund', '--loglevel', 'error', ...packages])
  run(folder, 'node', [path.join('node_modules', 'vite', 'bin', 'vite.js'), 'build', '--logLevel', 'error'])
  const description = readFileSync(path.join(folder, 'node_modules', 'react-admin', 'package.json'), 'utf8')
  return (JSON.parse(description) as { version: string }).version
}

function run(folder: string, command: string, args: string[]): void {
  const { status, error } = spawnSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  if (error) throw error
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`)
}
