import { useEffect } from 'react'

import { useDefinitions } from '../domain/definitions/use-definitions.ts'
import { setLabels } from '../domain/labels.ts'

/** Reads the definitions, and labels properties and entity types as they say. Renders nothing. */
export function Labels() {
  const types = useDefinitions()
  useEffect(() => setLabels(types), [types])
  // The next person to sign in may be of another service.
  useEffect(() => () => setLabels([]), [])
  return null
}
