import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { entityType } from '#contract/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import { definitionsQuery, keysQuery } from '../queries/keys.ts'
import { addNotedKeys, inferTypes, nameTypes, type NamedProperty, type NamedType } from './definitions.ts'

/** Debounce delay, in milliseconds, while an entity type is being typed. */
export const typingPauseMs = 250

const noTypes: readonly NamedType[] = []
const noNames: readonly string[] = []
const noProperties: readonly NamedProperty[] = []

/** Returns the entity types with their properties; none from a bare service, or while they are being read. */
export function useDefinitions(isWanted = true): readonly NamedType[] {
  const isCounted = useDenied('entities:read') === undefined
  const { data = noTypes } = useQuery({ ...definitionsQuery({ isCounted, isWanted }), select: nameTypes })
  return data
}

/** Returns a property as defined or counted; undefined if it is neither, or not known yet. */
export function useDefinedProperty(type: string, key: string): NamedProperty | undefined {
  const types = useDefinitions()
  return types.find(({ name }) => name === type)?.properties.find(({ name }) => name === key)
}

/** Returns the entity types for a picker: those defined or counted, and others that the caller knows of. */
export function useEntityTypes(others: readonly string[] = noNames): readonly NamedType[] {
  const types = useDefinitions()
  return useMemo(() => {
    const missing = others.filter((type) => types.every((each) => each.name !== type))
    return missing.length === 0 ? types : [...types, ...nameTypes(inferTypes(missing))]
  }, [types, others])
}

/**
 * Returns the properties of an entity type for a picker: those defined or counted, and those noted since. A bare
 * service has those of the entities that were read.
 */
export function useProperties(written: string): readonly NamedProperty[] {
  const type = useDebouncedValue(written, typingPauseMs)
  const denied = useDenied('entities:read')
  const enabled = denied === undefined && entityType.safeParse(type).success
  const { data: noted } = useQuery({ ...keysQuery(type), enabled })
  const types = useDefinitions(written !== '')
  return useMemo(() => {
    const counted = types.find((each) => each.name === written)?.properties ?? noProperties
    return type === written && noted ? addNotedKeys(counted, noted) : counted
  }, [types, noted, type, written])
}
