import { eventText } from '../messages/index.ts'

/** Returns the name of an event type; `undefined` for types of another service, which are shown as they are. */
export function eventTypeName(code: string): string | undefined {
  return Object.hasOwn(eventText.types, code)
    ? eventText.types[code as keyof typeof eventText.types]
    : undefined
}
