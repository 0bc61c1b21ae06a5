import type { Entity, Property } from '#contract/index.ts'

export function isSensitiveProperty({ sensitive, masked }: Property): boolean {
  return sensitive === true || masked === true
}

/** Returns an entity as seen without access to sensitive values: its sensitive properties are `masked`. */
export function maskEntity(entity: Entity): Entity {
  return {
    ...entity,
    properties: entity.properties.map((property) => {
      if (!isSensitiveProperty(property)) return property
      const { value: _, ...rest } = property
      return { ...rest, masked: true }
    }),
  }
}
