import type { Change } from '#contract/index.ts'

/** Whether the property is sensitive now or was before the change. */
export function isSensitive({ sensitive, sensitiveBefore, masked }: Change): boolean {
  return sensitive === true || sensitiveBefore === true || masked === true
}
