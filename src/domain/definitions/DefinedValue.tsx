import { readValue } from '#contract/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { ValueText, type ValueTextProps } from '../values/ValueText.tsx'
import type { NamedProperty } from './definitions.ts'
import { useDefinedProperty } from './use-definitions.ts'

interface DefinedValueProps extends ValueTextProps {
  /** Definition of the value's property; undefined if there is none. */
  readonly property: Pick<NamedProperty, 'unit' | 'choices'> | undefined
}

/** Renders a value with its unit ("12,000 km"), or as the label of its choice ("German" for `de`). */
export function DefinedValue({ property, ...value }: DefinedValueProps) {
  const choice = property?.choices?.find((each) => each.value === value.value)
  if (choice && choice.label !== String(choice.value))
    return (
      <span dir="auto" {...hint(String(choice.value))}>
        {choice.label}
      </span>
    )
  if (property?.unit === undefined || !isNumber(value)) return <ValueText {...value} />
  return (
    <span>
      <ValueText {...value} isQuantity />
      {`\u00A0${property.unit}`}
    </span>
  )
}

export interface PropertyTextProps extends Omit<DefinedValueProps, 'property'> {
  readonly entityType: string | undefined
  /** Key of the value's property. */
  readonly of: string
}

/** Renders a value of a property as its definition says. */
export function PropertyText({ entityType, of, ...value }: PropertyTextProps) {
  return <DefinedValue {...value} property={useDefinedProperty(entityType ?? '', of)} />
}

const isNumber = ({ type, value }: ValueTextProps) =>
  (type === 'NUMBER' || type === 'DECIMAL') && !readValue(type, value).issues
