import { lazyPart } from '../../ui/lazy-part.tsx'

/**
 * Lazily loaded editor. It is most of the code, so the entities are shown before it is loaded; the loader of an
 * entity's URL loads it.
 */
export const EntityEditor = lazyPart(async () => (await import('./EntityEditor.tsx')).EntityEditor)
