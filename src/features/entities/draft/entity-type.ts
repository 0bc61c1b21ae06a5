import { createContext, use } from 'react'

import { propertyLabel, useLabels } from '../../../domain/labels.ts'

/** Type of the entity whose properties are shown; undefined outside an entity. */
export const EntityTypeContext = createContext<string | undefined>(undefined)

/** Returns the function that labels the properties of the entity around the component. */
export function useLabel() {
  const type = use(EntityTypeContext)
  useLabels()
  return (key: string) => propertyLabel(type, key)
}
