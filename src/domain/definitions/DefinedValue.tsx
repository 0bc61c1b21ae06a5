import { isDataType, readValue } from '#contract/index.ts'
import { ValueText, type ValueTextProps } from '../values/ValueText.tsx'
import type { NamedProperty } from './definitions.ts'

interface DefinedValueProps extends ValueTextProps {
  /** Definition of the property; undefined if there is none. */
  readonly property: Pick<NamedProperty, 'unit' | 'choices'> | undefined
}

/** Renders a value as its definition says: a choice by its label, a number with its unit. */
export function DefinedValue({ property, type, value, ...props }: DefinedValueProps) {
  const choice = property?.choices?.find((each) => each.value === value)
  if (choice) return <span dir="auto">{choice.label}</span>
  const shown = <ValueText type={type} value={value} {...props} />
  if (property?.unit === undefined || !isNumber(type, value)) return shown
  return (
    <span>
      {shown}
      {`\u{a0}${property.unit}`}
    </span>
  )
}

/** Whether the value is a number that fits its data type. Others are shown as they are, and have no unit. */
const isNumber = (type: string, value: unknown) =>
  (type === 'NUMBER' || type === 'DECIMAL') && isDataType(type) && readValue(type, value).issues === undefined
