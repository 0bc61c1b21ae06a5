import type { Entity, Property } from '#contract/index.ts'

export function isSensitiveProperty({ sensitive, masked }: Property): boolean {
  return sensitive === true || masked === true
}

/** An entity as somebody sees it who may not see sensitive values: those properties have none, and are `masked`. */
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
