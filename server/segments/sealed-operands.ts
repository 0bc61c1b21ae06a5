import { hkdfSync } from 'node:crypto'

import type { Filter, PropertyTest } from '#contract/index.ts'
import type { TestedKey } from '../events/sealed-gate.ts'
import type { IndexKey } from '../sealing/data-keys.ts'
import { openValue, sealValue } from '../sealing/encryption.ts'

/** The parts of a segment needed to seal its operands, which may be the very values that sealed properties contain. */
interface Holder {
  readonly id: string
  readonly filter: Filter
}

/**
 * Seals the operands of property tests for storage, whether or not the properties are sensitive, since that can
 * change.
 */
export function sealOperands(indexKey: IndexKey, { id, filter }: Holder): Filter {
  const operandKey = deriveOnce(indexKey)
  return withOperands(filter, (test) =>
    test.value === undefined
      ? test
      : { ...test, value: { sealed: sealValue(operandKey(), sealedPlaceOfOperand(id, test), test.value) } },
  )
}

/** Returns the segment with the operands of its filter opened. */
export function openOperands<Segment extends Holder>(indexKey: IndexKey, segment: Segment): Segment {
  const operandKey = deriveOnce(indexKey)
  const filter = withOperands(segment.filter, (test) => {
    const sealed = (test.value as { sealed?: unknown } | null | undefined)?.sealed
    return typeof sealed === 'string'
      ? { ...test, value: openValue(operandKey(), sealedPlaceOfOperand(segment.id, test), sealed) }
      : test
  })
  return { ...segment, filter }
}

/** Returns the filter without the operands of tests on masked properties. */
export function maskOperands(filter: Filter, isMasked: (key: TestedKey) => boolean): Filter {
  return withOperands(filter, (test, type) => {
    if (test.value === undefined || !isMasked({ type, key: test.key })) return test
    const { value: _, ...rest } = test
    return { ...rest, masked: true }
  })
}

/** Returns the properties that a filter itself compares with an operand. */
export function operandKeys(filter: Filter): TestedKey[] {
  const keys: TestedKey[] = []
  withOperands(filter, (test, type) => {
    if (test.value !== undefined) keys.push({ type, key: test.key })
    return test
  })
  return keys
}

const sealedPlaceOfOperand = (segment: string, { key, type }: PropertyTest) => ({ user: segment, key, type })

/** Derives the key of operands on first use. Segments belong to no user, so no user's key can seal their operands. */
function deriveOnce(indexKey: IndexKey): () => Buffer {
  let key: Buffer | undefined
  return () => (key ??= Buffer.from(hkdfSync('sha256', indexKey(), '', 'data-store segment operands', 32)))
}

/** Maps the property tests of a filter. Leaves invalid filters alone; they were stored by other means than the API. */
function withOperands(filter: Filter, change: (test: PropertyTest, entity: string) => PropertyTest): Filter {
  if (!isObject(filter)) return filter
  const all = (parts: readonly Filter[]) =>
    Array.isArray(parts) ? parts.map((part) => withOperands(part, change)) : parts
  if ('all' in filter) return { all: all(filter.all) }
  if ('any' in filter) return { any: all(filter.any) }
  if ('not' in filter) return { not: withOperands(filter.not, change) }
  if ('entity' in filter && Array.isArray(filter.where))
    return {
      ...filter,
      where: (filter.where as readonly PropertyTest[]).map((test) =>
        isObject(test) ? change(test, filter.entity) : test,
      ),
    }
  return filter
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null
