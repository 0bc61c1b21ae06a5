import { scopeText } from '../messages/index.ts'

/** Returns the sentence that says what a role without this scope may not do. */
export function describeDenial(scope: string | undefined): string {
  return (scopeText.lacking as Readonly<Record<string, string>>)[scope ?? ''] ?? scopeText.other
}
