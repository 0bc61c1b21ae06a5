import { lazyPart } from '../../../ui/lazy-part.tsx'

/** Editor, which is most of the code: the entities are shown before it is loaded. */
export const EntityEditor = lazyPart(async () => (await import('../editor/EntityEditor.tsx')).EntityEditor)
