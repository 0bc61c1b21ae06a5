import { eventText } from '../messages/index.ts'

/** Returns the name of an event type. Types of another service have none and are shown as they come. */
export function eventTypeName(code: string): string | undefined {
  return Object.hasOwn(eventText.types, code)
    ? eventText.types[code as keyof typeof eventText.types]
    : undefined
}
