import { lazyPart } from '../../ui/lazy-part.tsx'

/** Most of the code: what the user owns is on the screen before it is read, by the loader of an entity's address. */
export const EntityEditor = lazyPart(async () => (await import('./EntityEditor.tsx')).EntityEditor)
