import { dataTypeText } from '../../messages/index.ts'

/** Returns the display name of a data type; an unknown type, as from another service, keeps its code. */
export function dataTypeName(type: string): string {
  return (dataTypeText as Readonly<Record<string, string>>)[type] ?? type
}
