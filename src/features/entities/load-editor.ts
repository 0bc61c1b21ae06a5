import type { ComponentType } from 'react'

import type { EntityEditorProps } from './EntityEditor.tsx'

let editor: ComponentType<EntityEditorProps> | undefined

/** Most of the code: what the user owns is on the screen before it is read. */
export async function loadEditor(): Promise<void> {
  editor ??= (await import('./EntityEditor.tsx')).EntityEditor
}

/** The editor at once, where it has been loaded: by the loader of an entity's address. */
export const loadedEditor = () => editor
